// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening and closing text for a batch.
//
// Neighbouring pages are opened together: an mprotect costs about a microsecond and splits a
// mapping, and pages between two sites of a function-dense segment are text as well. The
// pages stay executable meanwhile, since other threads run in them.

#include "poke/text.h"

#include "sites/module.h"

#include <errno.h>
#include <fcntl.h>

namespace nophook {

// Sites that are further apart than this get ranges of their own.
constexpr uint64_t kMergeBytes = 64 << 10;

static bool in_one_segment(uint64_t start, uint64_t end) {
  for (const Module *m = first_module(); m; m = m->next)
    for (uint32_t i = 0; m->loaded && i < m->text_count; i++)
      if (start >= round_down(m->text[i].start, kPageBytes) &&
          end <= round_up(m->text[i].end, kPageBytes))
        return true;
  return false;
}

bool TextAccess::protect(int prot) {
  for (uint64_t i = 0; i < ranges_.size(); i++)
    if (sys_failed(sys(SYS_mprotect, ranges_[i].start, ranges_[i].end - ranges_[i].start, prot))) {
      for (uint64_t k = 0; k < i; k++)
        sys(SYS_mprotect, ranges_[k].start, ranges_[k].end - ranges_[k].start,
            PROT_READ | PROT_EXEC);
      return false;
    }
  return true;
}

Status TextAccess::open(const PokeSite *sites, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    auto ip = reinterpret_cast<uint64_t>(sites[i].ip);
    uint64_t start = round_down(ip, kPageBytes), end = round_up(ip + 5, kPageBytes);
    if (!ranges_.empty()) {
      Range &last = ranges_[ranges_.size() - 1];
      if (end <= last.end)
        continue;
      if (start <= last.end ||
          (start - last.end <= kMergeBytes && in_one_segment(last.start, end))) {
        last.end = end;
        continue;
      }
    }
    if (!ranges_.push({start, end}))
      return failure(ENOMEM, "no memory to open text");
  }
  if (protect(PROT_READ | PROT_WRITE | PROT_EXEC))
    return {};
  ranges_.clear();
  long fd = sys(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR | O_CLOEXEC);
  if (sys_failed(fd))
    return failure(EPERM, "text cannot be made writable: mprotect and /proc/self/mem are refused");
  mem_fd_ = (int)fd;
  return {};
}

TextAccess::~TextAccess() {
  protect(PROT_READ | PROT_EXEC);
  if (mem_fd_ >= 0)
    sys(SYS_close, mem_fd_);
}

void TextAccess::write8(uint8_t *at, uint8_t value) {
  if (direct())
    __atomic_store_n(at, value, __ATOMIC_RELEASE);
  else
    sys(SYS_pwrite64, mem_fd_, &value, 1, at);
}

void TextAccess::write16(uint8_t *at, uint16_t value) {
  if (direct())
    __atomic_store_n(reinterpret_cast<uint16_t *>(at), value, __ATOMIC_RELEASE);
  else
    sys(SYS_pwrite64, mem_fd_, &value, 2, at);
}

void TextAccess::write_tail(uint8_t *ip, uint64_t insn, unsigned first) {
  uint8_t bytes[5];
  for (unsigned i = 0; i < 5; i++)
    bytes[i] = (uint8_t)(insn >> 8 * i);
  if (direct())
    for (unsigned i = first; i < 5; i++)
      __atomic_store_n(ip + i, bytes[i], __ATOMIC_RELAXED);
  else
    sys(SYS_pwrite64, mem_fd_, bytes + first, 5 - first, ip + first);
}

void TextAccess::store_insn(uint8_t *ip, uint64_t insn) {
  auto at = reinterpret_cast<uint64_t>(ip);
  auto *word = reinterpret_cast<uint64_t *>(at & ~uint64_t{7});
  unsigned shift = 8 * (at & 7);
  uint64_t mask = ((uint64_t{1} << 40) - 1) << shift;
  // The other three bytes are text that nobody changes: all pokes are under one lock.
  __atomic_store_n(word, (*word & ~mask) | insn << shift, __ATOMIC_RELEASE);
}

} // namespace nophook
