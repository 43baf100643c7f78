// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x86-64. Encodings: Intel SDM volume 2, CALL, JMP, NOP, ENDBR64.

#include "machine/x86_64/sites.h"
#include "machine/code_bytes.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

namespace nophook::x86_64 {
namespace {

using llvm::Expected;
using Bytes = Machine::Bytes;
namespace ELF = llvm::ELF;

constexpr uint8_t kNop5[] = {0x0f, 0x1f, 0x44, 0x00, 0x00};
constexpr uint8_t kNop5Clang[] = {0x0f, 0x1f, 0x44, 0x00, 0x08};
constexpr uint8_t kNop6[] = {0x67, 0x0f, 0x1f, 0x44, 0x00, 0x00};
constexpr uint8_t kEndbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};

// gcc begins a nested function by `push %r10; call __fentry__; pop %r10`, since its static chain is
// in that register and the hook of gprof changes it; an endbr64 stands behind the push. The
// trampolines keep all registers. So the call goes to the front, where it is at the function's
// entry like any other, and a NOP takes the place of the other two: debug info and unwind tables,
// which leave them out, become right.
constexpr uint8_t kPushR10[] = {0x41, 0x52}, kPopR10[] = {0x41, 0x5a};
constexpr uint8_t kNop4[] = {0x0f, 0x1f, 0x40, 0x00};

// Moves `form`, a call or its NOP of `bytes` bytes, to the entry of a nested function.
SiteForm at_entry(Bytes code, SiteForm form, uint64_t bytes) {
  uint64_t start = form.start;
  Bytes pad;
  if (start >= sizeof kEndbr64 && has_bytes(code, start - sizeof kEndbr64, kEndbr64)) {
    start -= sizeof kEndbr64;
    pad = kEndbr64;
  }
  if (start < sizeof kPushR10 || !has_bytes(code, start - sizeof kPushR10, kPushR10) ||
      !has_bytes(code, form.start + bytes, kPopR10))
    return form;
  auto text = [&](Bytes site) {
    llvm::SmallVector<uint8_t, 16> all(pad.begin(), pad.end());
    all.append(site.begin(), site.end());
    all.append(std::begin(kNop4), std::end(kNop4));
    return all;
  };
  form.kept = text(code.slice(form.start, bytes));
  form.bytes = text(form.bytes);
  form.moved = sizeof kPushR10;
  form.from = form.start;
  form.start = start - form.moved;
  form.site -= form.moved;
  return form;
}

} // namespace

Expected<SiteForm> call_as_nop(Bytes code, const Machine::Rela &relocation) {
  const uint64_t at = relocation.r_offset; // offset of the four relocated bytes
  const uint32_t type = relocation.getType(false);
  if (at < 1 || at > code.size() || code.size() - at < 4)
    return not_understood("a relocation lies outside of its section");
  switch (type) {
  case ELF::R_X86_64_PLT32:
  case ELF::R_X86_64_PC32:
    // A 67 in front of the e8 stays and becomes part of the NOP.
    if (code[at - 1] == 0xe8 && relocation.r_addend == -4)
      return at_entry(code, form_of(at - 1, kNop5, at - 1), sizeof kNop5);
    break;
  case ELF::R_X86_64_GOTPCREL:
  case ELF::R_X86_64_GOTPCRELX:
    if (at >= 2 && code[at - 2] == 0xff && code[at - 1] == 0x15 && relocation.r_addend == -4)
      return at_entry(code, form_of(at - 2, kNop6, at - 1), sizeof kNop6);
    break;
  }
  return not_understood("is no `call` that fits a site (relocation type " + llvm::Twine(type) +
                        "); -mcmodel=large and -mno-direct-extern-access are not supported");
}

uint64_t nop_bytes(Bytes code, uint64_t offset) {
  uint64_t at = offset;
  while (at < code.size() && at - offset < 10 &&
         (code[at] == 0x66 || code[at] == 0x2e || code[at] == 0x67))
    at++;
  if (at < code.size() && code[at] == 0x90)
    return at + 1 - offset;
  if (!has_bytes(code, at, {0x0f, 0x1f}) || code.size() - at < 3)
    return 0;
  const uint8_t modrm = code[at + 2], mode = modrm >> 6, operand = modrm & 7;
  if (modrm >> 3 & 7)
    return 0;
  uint64_t bytes = at + 3 - offset;
  bool disp32 = mode == 2 || (mode == 0 && operand == 5);
  if (mode != 3 && operand == 4) {
    if (code.size() - at < 4)
      return 0;
    disp32 |= mode == 0 && (code[at + 3] & 7) == 5;
    bytes++;
  }
  bytes += disp32 ? 4 : mode == 1 ? 1 : 0;
  return bytes <= code.size() - offset ? bytes : 0;
}

Expected<SiteForm> nops_as_site(Bytes code, uint64_t offset) {
  if (has_bytes(code, offset, kNop5) || has_bytes(code, offset, kNop5Clang)) {
    // -mnop-mcount: gcc's own NOP has the place of the call.
    SiteForm moved = at_entry(code, form_of(offset, kNop5, offset), sizeof kNop5);
    return moved.moved ? moved : SiteForm{offset, {}, offset};
  }
  if (has_bytes(code, offset, kNop6))
    return SiteForm{offset, {}, offset + 1};
  uint64_t bytes = 0;
  while (bytes < sizeof kNop5) {
    const uint64_t next = nop_bytes(code, offset + bytes);
    if (!next)
      return not_understood("only " + llvm::Twine(bytes) +
                            " bytes of NOPs, a site needs 5: -fpatchable-function-entry=5");
    bytes += next;
  }
  SiteForm form = form_of(offset, kNop5, offset);
  form.bytes.resize(bytes, 0x90);
  return form;
}

uint64_t landing_pad_bytes(Bytes code, uint64_t offset) {
  return has_bytes(code, offset, kEndbr64) ? sizeof kEndbr64 : 0;
}

// Whether the function is unchanged at the site. A prefix of the site's NOP may stand in between,
// see machine/machine.h, or the endbr64 that moves to the entry with it.
bool is_entry_kept(Bytes code, uint64_t entry, uint64_t site) {
  const bool pad_moves =
      has_bytes(code, entry, kPushR10) && has_bytes(code, entry + sizeof kPushR10, kEndbr64);
  return site <= entry + 1 + (pad_moves ? sizeof kEndbr64 : 0);
}

// A direct call or jump in front of the distance, or one through the slot.
bool is_call(Bytes code, const Machine::Rela &relocation) {
  const uint64_t at = relocation.r_offset;
  if (at < 2 || at > code.size())
    return false;
  const uint8_t first = code[at - 2], last = code[at - 1];
  switch (relocation.getType(false)) {
  case ELF::R_X86_64_PLT32:
  case ELF::R_X86_64_PC32:
    return last == 0xe8 || last == 0xe9 || (first == 0x0f && (last & 0xf0) == 0x80);
  case ELF::R_X86_64_GOTPCREL:
  case ELF::R_X86_64_GOTPCRELX:
    return first == 0xff && (last == 0x15 || last == 0x25);
  default:
    return false;
  }
}

bool is_site(Bytes code, uint64_t) {
  return has_bytes(code, 0, kNop5Clang) || has_bytes(code, 0, kNop5);
}

uint64_t pad_before_site(Bytes code) {
  return landing_pad_bytes(code, 0);
}

// The forms of include/nophook/site.h.
std::optional<uint64_t> site_at_entry(Bytes code) {
  const uint64_t at = landing_pad_bytes(code, 0);
  if (is_site(code.drop_front(at), 0))
    return at;
  return has_bytes(code, at, kNop6) ? std::optional(at + 1) : std::nullopt;
}

} // namespace nophook::x86_64
