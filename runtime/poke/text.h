// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access to text that is mapped read-only: makes the pages of a batch writable and gives
// their protection back, or, where the kernel refuses that (MDWE, SELinux), writes through
// /proc/self/mem.

#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "poke/poke.h"

namespace nophook {

// Open for the length of a batch.
class TextAccess {
public:
  TextAccess() = default;
  ~TextAccess();
  TextAccess(const TextAccess &) = delete;
  TextAccess &operator=(const TextAccess &) = delete;

  // Errors: EPERM, ENOMEM.
  Status open(const PokeSite *sites, uint64_t count);

  // Whether a store of 8 bytes can be made in one piece. Through /proc/self/mem it cannot:
  // then only single bytes are changed atomically and every site takes the trap way.
  bool direct() const { return mem_fd_ < 0; }

  void write8(uint8_t *at, uint8_t value);
  void write16(uint8_t *at, uint16_t value);
  // Bytes 2-4 or 1-4 of an instruction; nobody executes them while they are written.
  void write_tail(uint8_t *ip, uint64_t insn, unsigned first);
  // All five bytes by one aligned store; direct access only.
  void store_insn(uint8_t *ip, uint64_t insn);

private:
  struct Range {
    uint64_t start;
    uint64_t end;
  };
  bool protect(int prot);

  Array<Range> ranges_;
  int mem_fd_ = -1;
};

} // namespace nophook
