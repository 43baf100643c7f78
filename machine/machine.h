// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sites of each processor, before and after recording, as pure functions over bytes.
//
// A site is the instruction that the runtime overwrites: one of five bytes on x86-64. gcc's
// position-independent calls have six. They become `67 0f 1f 44 00 00`, one instruction again,
// and the site is its last five bytes: patched, it is `67 e8 …` or `67 e9 …`, for which the
// prefix has no meaning. So a site is five bytes everywhere, and no thread ever stands within
// an instruction (a `66` in front, which looks the same, would cut the target to 16 bits on
// AMD's processors).

#pragma once

#include "analysis/object.h"

namespace nophook {

// A range of bytes within a section that is rewritten, and the site in it.
struct SiteForm {
  uint64_t start;                           // first byte that is replaced
  llvm::SmallVector<uint8_t, 16> bytes;     // new bytes
  uint64_t site;                            // offset of the site
  uint64_t from = 0;                        // its offset before it moved; 0: it has not
  uint64_t moved = 0;                       // bytes by which the site moves to the entry
  llvm::SmallVector<uint8_t, 16> kept = {}; // new bytes of a moved call that is kept
};

struct CodeRange {
  uint32_t section;
  uint64_t start, end; // offsets within the section
};

struct Machine {
  uint32_t address_relocation; // 8 bytes, symbol + addend
  uint32_t pc32_relocation;    // 4 bytes, symbol + addend - place

  uint64_t site_bytes; // bytes of the site's one instruction

  // Whether a call that is the function's first instruction can return.
  bool may_call_at_entry;

  // The NOP for the call that a relocation against mcount belongs to. Fails if there is no call.
  llvm::Expected<SiteForm> (*call_as_nop)(Bytes code, const Elf::Rela &relocation);

  // The site in the NOPs at `offset`, as few as can be a site, with one site instruction in front.
  // `bytes` is empty if they have that form already. Fails if there are too few for a site.
  llvm::Expected<SiteForm> (*nops_as_site)(Bytes code, uint64_t offset);

  // The number of bytes of the NOP instruction at `offset`; 0 if there is none.
  uint64_t (*nop_bytes)(Bytes code, uint64_t offset);

  // The number of bytes of the landing pad for indirect calls at `offset`; 0 if there is none.
  uint64_t (*landing_pad_bytes)(Bytes code, uint64_t offset);

  // Whether all instructions between `entry` and `site` leave the function's state as it was at the
  // entry.
  bool (*is_entry_kept)(Bytes code, uint64_t entry, uint64_t site);

  // Whether gcc's debug info and unwind tables begin a function behind the NOPs at its entry.
  bool describes_behind_nops;
};

// The offset at which the code of the function at `start` begins: there, or behind a landing pad.
inline uint64_t entry_of(const Machine &machine, Bytes code, uint64_t start) {
  return start + machine.landing_pad_bytes(code, start);
}

// The first result of find(offset) for the places where the description of the function in `range`
// may begin; the default result if there is none.
template <class Find>
auto find_at_entry(const Machine &machine, Bytes code, const CodeRange &range, Find find) {
  auto found = find(range.start);
  uint64_t at = entry_of(machine, code, range.start);
  for (uint64_t bytes = machine.describes_behind_nops; !found && bytes && at < range.end;) {
    found = find(at);
    bytes = machine.nop_bytes(code, at);
    at += bytes;
  }
  return found;
}

// The description of a processor: EM_X86_64 or EM_AARCH64.
const Machine &machine_for(uint16_t machine);

} // namespace nophook
