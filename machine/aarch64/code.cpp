// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/cpu_code.h"
#include "machine/aarch64/aapcs64_assignment.h"
#include "machine/aarch64/instructions.h"

namespace nophook::aarch64 {

extern const Machine kMachine;

namespace {

constexpr uint8_t kGeneral[] = {0, 1, 2, 3, 4, 5, 6, 7};

std::unique_ptr<Assignment> assignment() {
  return std::make_unique<Aapcs64Assignment>();
}

} // namespace

extern const CpuCode kCode;
const CpuCode kCode = {
    .machine = kMachine,
    .reader = code_reader,
    .assignment = assignment,
    .rust = {.arguments = kGeneral,
             .pairs_begin_even = true,
             .returns_address = false,
             .proves_places = false},
    .long_double = NOPHOOK_KIND_FLOAT,
};

} // namespace nophook::aarch64
