// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/cpu_code.h"
#include "machine/x86_64/instructions.h"
#include "machine/x86_64/sysv_assignment.h"

namespace nophook::x86_64 {

extern const Machine kMachine;

namespace {

constexpr uint8_t kGeneral[] = {5, 4, 1, 2, 8, 9}; // rdi, rsi, rdx, rcx, r8, r9 in DWARF's numbers

std::unique_ptr<Assignment> assignment() {
  return std::make_unique<SysVAssignment>();
}

} // namespace

extern const CpuCode kCode;
const CpuCode kCode = {
    .machine = kMachine,
    .reader = code_reader,
    .assignment = assignment,
    .rust = {.arguments = kGeneral,
             .pairs_begin_even = false,
             .returns_address = true,
             .proves_places = true},
    .long_double = NOPHOOK_KIND_X87,
};

} // namespace nophook::x86_64
