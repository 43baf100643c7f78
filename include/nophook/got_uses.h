// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: whether a slot of the GOT is for calls alone, or also stands for the function's
// address.
//
// `call *f@GOTPCREL(%rip)`, which -fno-plt makes, and `&f` read one slot. A slot that leads to a
// call stub would make `&f` another address than other modules have. So a slot is taken only if
// each use of it is known:
//
//      a call or jump through the slot           is no use of the address, by any compiler
//      any other use, in described code          is what the import records of the object say
//      any other use, elsewhere                  may be `&f`: the slot is left alone
//
// Described code is that of functions with a descriptor (nophook/args.h). Its object has a record
// of each import, too (nophook/prototype.h), which says whether it takes the address: a compiler
// may load the slot of a function that is only called. Code without a descriptor is that of objects
// that are not instrumented, and of functions that are left out.
//
// The code is read as bytes, since code without symbols has no known instruction bounds. Bytes that
// only look like a use make a slot to be left alone, which is safe. Not seen are slots that code of
// the large model reaches by distances from the GOT's start, and distances in data (`.long
// f@GOTPCREL`); described objects have a record of these.
//
// Read by:  the runtime (calls/slot_uses.cpp) and `nophook list --calls`.

#ifndef NOPHOOK_GOT_USES_H
#define NOPHOOK_GOT_USES_H

#include <stdint.h>
#include <string.h>

#include <nophook/prototype.h>

enum nophook_got_use {
  NOPHOOK_GOT_CALLED = 1 << 0,    // code calls or jumps through the slot
  NOPHOOK_GOT_DESCRIBED = 1 << 1, // described code uses it otherwise
  NOPHOOK_GOT_UNKNOWN = 1 << 2,   // other code may use it otherwise
};

struct nophook_got_scan {
  const uint64_t *slots; // ascending addresses, multiples of 8
  uint8_t *uses;         // by slot, enum nophook_got_use; 0 at first
  uint8_t *pages; // by slot, for AArch64: a bit for each page before it that code uses; 0 at first
  uint64_t count;
  uint8_t offsets[512]; // AArch64: a bit for each offset of a load, in words; 0 at first
  // Whether the code at `address` is described.
  int (*is_described)(const void *data, uint64_t address);
  const void *data; // its first argument
};

// The number of the first slot from `address` on.
static inline uint64_t nophook_got_from(const struct nophook_got_scan *scan, uint64_t address) {
  uint64_t low = 0, high = scan->count;
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (scan->slots[middle] < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static inline void nophook_got_used(const struct nophook_got_scan *scan, uint64_t number,
                                    uint64_t address) {
  scan->uses[number] |=
      scan->is_described(scan->data, address) ? NOPHOOK_GOT_DESCRIBED : NOPHOOK_GOT_UNKNOWN;
}

// A ModRM byte with mod 0 and r/m 5 is in front of each distance from the instruction's end, which
// is 0, 1, 2 or 4 bytes of an immediate operand behind it. `ff /2` is a call and `ff /4` a jump.
static inline void nophook_got_scan_x86_64(const struct nophook_got_scan *scan, const uint8_t *code,
                                           uint64_t bytes, uint64_t address) {
  static const uint8_t kImmediates[] = {0, 1, 2, 4};
  const uint64_t first = scan->slots[0], last = scan->slots[scan->count - 1];
  for (uint64_t i = 1; i + 4 <= bytes; i++) {
    if ((code[i - 1] & 0xc7) != 0x05)
      continue;
    int32_t distance;
    memcpy(&distance, code + i, sizeof distance);
    const uint64_t target = address + i + 4 + (uint64_t)(int64_t)distance;
    if (target > last || target + 4 < first)
      continue;
    const int is_call =
        i >= 2 && code[i - 2] == 0xff && (code[i - 1] == 0x15 || code[i - 1] == 0x25);
    for (unsigned n = 0; n < (is_call ? 1 : sizeof kImmediates); n++) {
      const uint64_t slot = target + kImmediates[n], number = nophook_got_from(scan, slot);
      if (number == scan->count || scan->slots[number] != slot)
        continue;
      if (is_call)
        scan->uses[number] |= NOPHOOK_GOT_CALLED;
      else
        nophook_got_used(scan, number, address + i);
    }
  }
}

// A slot is loaded into a register, by its page (`adrp`) and the offset in it, from code that need
// not be near to the `adrp`; or by `ldr` of a literal, or `adr`. Whether the register is then only
// called is not followed. So in code without a descriptor a slot counts as used if there is an
// `adrp` of a page before it and, anywhere, a load with the offset that is left.
static inline void nophook_got_scan_aarch64(struct nophook_got_scan *scan, const uint8_t *code,
                                            uint64_t bytes, uint64_t address) {
  const uint64_t kPage = 4096, kReach = sizeof scan->offsets * 8 * 8;
  for (uint64_t i = 0; i + 4 <= bytes; i += 4) {
    uint32_t insn;
    memcpy(&insn, code + i, sizeof insn);
    const uint64_t at = address + i;
    const int is_offset_load = (insn & 0xffc00000) == 0xf9400000; // ldr x, [x, #imm12 * 8]
    const int is_literal_load = (insn & 0xff000000) == 0x58000000;
    const int is_address = (insn & 0x1f000000) == 0x10000000; // adr, adrp
    if (is_offset_load) {
      const uint32_t offset = insn >> 10 & 0xfff;
      if (!(scan->offsets[offset / 8] >> offset % 8 & 1) && !scan->is_described(scan->data, at))
        scan->offsets[offset / 8] |= (uint8_t)(1u << offset % 8);
      continue;
    }
    if (!is_literal_load && !is_address)
      continue;
    const uint64_t raw = (uint64_t)(insn >> 5 & 0x7ffff) << 2 | (is_address ? insn >> 29 & 3 : 0);
    const uint64_t distance = (raw ^ 0x100000) - 0x100000;
    const int is_page = is_address && insn >> 31;
    const uint64_t from = is_page ? (at & ~(kPage - 1)) + (distance << 12) : at + distance;
    uint64_t number = nophook_got_from(scan, from);
    if (number == scan->count || scan->slots[number] - from >= (is_page ? kReach : 1))
      continue;
    // A page that is known for the first slot behind it is known for all of them.
    const uint64_t distance_in_pages = (scan->slots[number] - from) / kPage;
    if ((is_page && scan->pages[number] >> distance_in_pages & 1) ||
        scan->is_described(scan->data, at))
      continue;
    if (!is_page)
      scan->uses[number] |= NOPHOOK_GOT_UNKNOWN;
    else
      for (; number < scan->count && scan->slots[number] - from < kReach; number++)
        scan->pages[number] |= (uint8_t)(1u << (scan->slots[number] - from) / kPage);
  }
}

// Scans one of a module's executable segments, at `address`. `machine`: as in the ELF header. There
// is a slot at least.
static inline void nophook_got_scan_code(struct nophook_got_scan *scan, unsigned machine,
                                         const uint8_t *code, uint64_t bytes, uint64_t address) {
  const unsigned kX86_64 = 62, kAArch64 = 183;
  if (machine == kX86_64)
    nophook_got_scan_x86_64(scan, code, bytes, address);
  if (machine == kAArch64)
    nophook_got_scan_aarch64(scan, code, bytes, address);
}

// Completes the answers; called after the last segment.
static inline void nophook_got_scan_end(const struct nophook_got_scan *scan) {
  for (uint64_t number = 0; number < scan->count; number++)
    for (unsigned pages = 0; pages < 8; pages++) {
      const uint64_t offset = (scan->slots[number] % 4096 + pages * 4096) / 8;
      if (scan->pages[number] >> pages & 1 && scan->offsets[offset / 8] >> offset % 8 & 1)
        scan->uses[number] |= NOPHOOK_GOT_UNKNOWN;
    }
}

// The conclusion about a slot from its uses and the flags of all import records of its function,
// or-ed.
enum nophook_got_answer {
  NOPHOOK_GOT_FOR_CALLS = 0,
  NOPHOOK_GOT_ADDRESS_TAKEN = 1, // an object's record reports it
  NOPHOOK_GOT_NOT_PROVED = 2,    // code without a record uses the slot, and may take the address
};

static inline enum nophook_got_answer nophook_got_answer_of(uint8_t uses, uint32_t import_flags) {
  const int is_recorded = (import_flags & NOPHOOK_IMPORT_CALLED) != 0;
  if (import_flags & NOPHOOK_IMPORT_ADDRESS_TAKEN)
    return NOPHOOK_GOT_ADDRESS_TAKEN;
  if (uses & NOPHOOK_GOT_UNKNOWN || (!is_recorded && uses != NOPHOOK_GOT_CALLED))
    return NOPHOOK_GOT_NOT_PROVED;
  return NOPHOOK_GOT_FOR_CALLS;
}

#endif // NOPHOOK_GOT_USES_H
