// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AArch64's sites; struct Machine says what each of these is.

#pragma once

#include "machine/machine.h"

namespace nophook::aarch64 {

llvm::Expected<SiteForm> call_as_nop(Machine::Bytes code, const Machine::Rela &relocation);
llvm::Expected<SiteForm> nops_as_site(Machine::Bytes code, uint64_t offset);
uint64_t nop_bytes(Machine::Bytes code, uint64_t offset);
uint64_t landing_pad_bytes(Machine::Bytes code, uint64_t offset);
bool is_entry_kept(Machine::Bytes code, uint64_t entry, uint64_t site);
bool is_call(Machine::Bytes code, const Machine::Rela &relocation);
bool is_site(Machine::Bytes code, uint64_t address);
uint64_t pad_before_site(Machine::Bytes code);

} // namespace nophook::aarch64
