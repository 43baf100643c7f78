// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AArch64. Encodings: Arm ARM C6.2, BL, NOP, BTI. A site is one NOP: it becomes a jump, which
// leaves the link register alone. Others behind it stay as they are.

#include "machine/aarch64/sites.h"
#include "machine/code_bytes.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

namespace nophook::aarch64 {
namespace {

using llvm::Expected;
using Bytes = Machine::Bytes;
namespace ELF = llvm::ELF;

constexpr uint8_t kNop[] = {0x1f, 0x20, 0x03, 0xd5};

} // namespace

uint64_t nop_bytes(Bytes code, uint64_t offset) {
  return offset % 4 == 0 && has_bytes(code, offset, kNop) ? 4 : 0;
}

Expected<SiteForm> call_as_nop(Bytes code, const Machine::Rela &relocation) {
  const uint64_t at = relocation.r_offset;
  if (at % 4 || at > code.size() || code.size() - at < 4)
    return not_understood("a relocation lies outside of its section");
  const bool is_bl = llvm::support::endian::read32le(&code[at]) >> 26 == 0x25;
  if (!is_bl || relocation.getType(false) != ELF::R_AARCH64_CALL26 || relocation.r_addend != 0)
    return not_understood("is no `bl` (relocation type " + llvm::Twine(relocation.getType(false)) +
                          ")");
  return form_of(at, kNop, at);
}

Expected<SiteForm> nops_as_site(Bytes code, uint64_t offset) {
  if (!nop_bytes(code, offset))
    return not_understood("no NOP there: -fpatchable-function-entry=1");
  return SiteForm{offset, {}, offset};
}

uint64_t landing_pad_bytes(Bytes code, uint64_t offset) {
  if (offset % 4 || offset > code.size() || code.size() - offset < 4)
    return 0;
  // bti, bti c, bti j, bti jc; paciasp and pacibsp are landing pads too
  const uint32_t word = llvm::support::endian::read32le(&code[offset]);
  return (word & 0xffffff3f) == 0xd503241f || (word & 0xffffffbf) == 0xd503233f ? 4 : 0;
}

// Whether the function is unchanged at the site. The kernel's entry is `mov x9, x30` and a call: x9
// is free there.
bool is_entry_kept(Bytes code, uint64_t entry, uint64_t site) {
  constexpr uint8_t kMovX9X30[] = {0xe9, 0x03, 0x1e, 0xaa};
  return site <= entry || (site == entry + 4 && has_bytes(code, entry, kMovX9X30));
}

// -fno-plt loads the slot and calls the register, which no relocation shows.
bool is_call(Bytes, const Machine::Rela &relocation) {
  const uint32_t type = relocation.getType(false);
  return type == ELF::R_AARCH64_CALL26 || type == ELF::R_AARCH64_JUMP26;
}

bool is_site(Bytes code, uint64_t address) {
  return address % 4 == 0 && has_bytes(code, 0, kNop);
}

uint64_t pad_before_site(Bytes code) {
  constexpr uint32_t kBti = 0xd503241f, kTargets = 0xc0; // alone, c, j, jc
  return code.size() >= 4 && (llvm::support::endian::read32le(code.data()) & ~kTargets) == kBti ? 4
                                                                                                : 0;
}

} // namespace nophook::aarch64
