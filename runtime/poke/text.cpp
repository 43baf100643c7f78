// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening and closing text for a batch.
//
// Neighbouring pages are opened together: an mprotect costs about a microsecond and splits a
// mapping, and pages between two sites of a function-dense segment are text as well. The
// pages stay executable, since other threads run in them.

#include "poke/text.h"

#include "base/eternal.h"
#include "base/log.h"
#include "base/memory.h"
#include "poke/sync_text.h"

#include <errno.h>
#include <fcntl.h>

namespace nophook {
namespace {

// The pages of the executable segment that `ip` lies in; a single page if no module has it.
TextSegment segment_of(uint64_t ip) {
  for (const Module *m = first_module(); m; m = m->next)
    for (uint32_t i = 0; m->loaded && i < m->text_count; i++)
      if (ip >= m->text[i].start && ip < m->text[i].end)
        return {round_down(m->text[i].start, kPageBytes), round_up(m->text[i].end, kPageBytes),
                m->text[i].prot};
  return {ip, ip + 1, PROT_READ | PROT_EXEC};
}

// Maps executable pages, and fills them as a debugger would.
bool replace_by_code(long mem_fd, void *pages, const void *contents, uint64_t bytes) {
  long at = sys(SYS_mmap, pages, bytes, PROT_READ | PROT_EXEC,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  return !sys_failed(at) && sys(SYS_pwrite64, mem_fd, contents, bytes, pages) == (long)bytes;
}

constexpr int kAllRights = PROT_READ | PROT_WRITE | PROT_EXEC;

// Whether the page can be read and not written to. /proc shows more, and takes three times as long.
bool is_read_only(uint64_t page) {
  return sys(SYS_madvise, page, kPageBytes, MADV_POPULATE_READ) == 0 &&
         sys(SYS_madvise, page, kPageBytes, MADV_POPULATE_WRITE) == -EINVAL;
}

long make_writable(uint64_t start, uint64_t end, int prot) {
  return sys(SYS_mprotect, start, end - start, prot | kAllRights);
}

// All rights that the CPU has, from the three that the kernel reports.
int more_rights(int prot) {
  return prot & ~kAllRights;
}

} // namespace

bool make_executable(void *pages, uint64_t bytes) {
  if (!sys_failed(sys(SYS_mprotect, pages, bytes, PROT_READ | PROT_EXEC))) {
    sync_range(pages, bytes);
    return true;
  }
  void *copy = map_pages(bytes);
  long fd = sys(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR | O_CLOEXEC);
  bool done = false;
  if (copy && !sys_failed(fd)) {
    copy_bytes(copy, pages, bytes);
    done = replace_by_code(fd, pages, copy, bytes);
    sync_range(pages, bytes);
  }
  unmap_pages(copy, bytes);
  if (!sys_failed(fd))
    sys(SYS_close, fd);
  return done;
}

Array<TextAccess::Range> &TextAccess::kept_ranges(int which) {
  static Eternal<Array<Range>, 3> ranges;
  return ranges[(size_t)which];
}

TextAccess::TextAccess() : ranges_(kept_ranges(0)), added_(kept_ranges(1)), gone_(kept_ranges(2)) {
  ranges_.clear();
  gone_.clear();
}

// Restores the rights. The kernel may refuse if it would have to split a mapping and there are too
// many.
void TextAccess::close_ranges(uint64_t count) {
  uint64_t refused = 0;
  for (uint64_t i = 0; i < count; i++) {
    const Range &range = ranges_[i];
    if ((range.prot & kAllRights) != kAllRights)
      refused += sys_failed(sys(SYS_mprotect, range.start, range.end - range.start, range.prot));
  }
  if (refused)
    log_line("the kernel refuses to take the right to write away from text again");
}

// Whether all added pages have the rights that they were linked with. It asks for at most two
// pages, which suits a site or two; for more it returns false, and /proc is read.
bool TextAccess::are_as_linked() const {
  constexpr uint64_t kMostPages = 2;
  uint64_t pages = 0;
  for (const Range &range : ranges_) {
    pages += (range.end - range.start) / kPageBytes;
    if (pages > kMostPages || (range.prot & kAllRights) != (PROT_READ | PROT_EXEC))
      return false;
    for (uint64_t page = range.start; page < range.end; page += kPageBytes)
      if (!is_read_only(page))
        return false;
  }
  return true;
}

// Splits a range into ranges of equal rights; unmapped parts are dropped. Without /proc the range
// stays whole.
bool TextAccess::split(const Range &range, Mappings &mappings) {
  for (uint64_t at = range.start; at < range.end;) {
    Mapping mapping;
    Mappings::Answer answer = mappings.find(at, &mapping);
    if (answer == Mappings::Answer::kUnknown)
      return ranges_.push({at, range.end, range.prot});
    bool is_there = answer == Mappings::Answer::kFound && mapping.start <= at;
    uint64_t end = answer == Mappings::Answer::kNone ? range.end
                   : is_there                        ? mapping.end
                                                     : mapping.start;
    end = end < range.end ? end : range.end;
    bool is_gone = !is_there || !(mapping.prot & (PROT_READ | PROT_EXEC));
    Range part = {at, end, is_gone ? PROT_NONE : mapping.prot | more_rights(range.prot)};
    Array<Range> &list = is_gone ? gone_ : ranges_;
    if (!list.empty() && list[list.size() - 1].end == at && list[list.size() - 1].prot == part.prot)
      list[list.size() - 1].end = end;
    else if (!list.push(part))
      return false;
    at = end;
  }
  return true;
}

bool TextAccess::read_rights() {
  if (are_as_linked())
    return true;
  Mappings mappings;
  added_.clear();
  added_.swap(ranges_);
  for (const Range &range : added_)
    if (!split(range, mappings))
      return false;
  return true;
}

bool TextAccess::is_gone(uint64_t ip) const {
  for (const Range &range : gone_)
    if (ip < range.end && ip + Arch::kSiteBytes > range.start)
      return true;
  return false;
}

// Opens text that a program has moved to pages of hugetlbfs, page by page: the kernel refuses a
// part of such a page, as an address that is not aligned. The bytes around a site in such a page
// are text as well.
long TextAccess::open_huge(Range &range) {
  constexpr uint64_t kHuge = 2 << 20;
  for (uint64_t at = range.start; at < range.end; at = round_down(at, kHuge) + kHuge) {
    const uint64_t page = round_down(at, kHuge), end = page + kHuge;
    long opened = make_writable(at, end < range.end ? end : range.end, range.prot);
    if (opened == -EINVAL) {
      opened = make_writable(page, end, range.prot);
      range.start = page < range.start ? page : range.start;
      range.end = end > range.end ? end : range.end;
    }
    if (sys_failed(opened))
      return opened;
  }
  return 0;
}

long TextAccess::open_range(Range &range) {
  if ((range.prot & kAllRights) == kAllRights)
    return 0;
  long opened = make_writable(range.start, range.end, range.prot);
  return opened == -EINVAL ? open_huge(range) : opened;
}

bool TextAccess::open_ranges() {
  for (uint64_t i = 0; i < ranges_.size(); i++)
    if (sys_failed(open_range(ranges_[i]))) {
      close_ranges(i + 1); // a call that fails may have changed the first pages of its range
      return false;
    }
  return true;
}

bool TextAccess::add_range(uint64_t ip) {
  bool same = ip >= segment_.start && ip < segment_.end;
  if (!same)
    segment_ = segment_of(ip);
  uint64_t start = round_down(ip, kPageBytes);
  end_ = round_up(ip + Arch::kSiteBytes, kPageBytes);
  if (!ranges_.empty()) {
    Range &last = ranges_[ranges_.size() - 1];
    if (last.prot == segment_.prot &&
        (start <= last.end || (same && start - last.end <= kMergeBytes))) {
      last.end = end_;
      return true;
    }
  }
  return ranges_.push({start, end_, segment_.prot});
}

Status TextAccess::open() {
  if (!read_rights()) {
    ranges_.clear();
    return failure(ENOMEM, "no memory to open text");
  }
  if (open_ranges())
    return {};
  ranges_.clear();
  long fd = sys(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR | O_CLOEXEC);
  if (sys_failed(fd))
    return failure(EPERM, "text cannot be made writable: mprotect and /proc/self/mem are refused");
  mem_fd_ = (int)fd;
  return {};
}

TextAccess::~TextAccess() {
  close_ranges(ranges_.size());
  if (mem_fd_ >= 0)
    sys(SYS_close, mem_fd_);
}

bool TextAccess::write_mem(const void *at, const void *bytes, uint64_t size) {
  return sys(SYS_pwrite64, mem_fd_, bytes, size, at) == (long)size;
}

bool TextAccess::write8(uint8_t *at, uint8_t value) {
  if (!direct())
    return write_mem(at, &value, 1);
  __atomic_store_n(at, value, __ATOMIC_RELEASE);
  return true;
}

bool TextAccess::write16(uint8_t *at, uint16_t value) {
  if (!direct())
    return write_mem(at, &value, 2);
  __atomic_store_n(reinterpret_cast<uint16_t *>(at), value, __ATOMIC_RELEASE);
  return true;
}

bool TextAccess::write_tail(uint8_t *ip, uint64_t insn, unsigned first) {
  uint8_t bytes[Arch::kSiteBytes];
  for (unsigned i = 0; i < Arch::kSiteBytes; i++)
    bytes[i] = (uint8_t)(insn >> 8 * i);
  if (!direct())
    return write_mem(ip + first, bytes + first, Arch::kSiteBytes - first);
  for (unsigned i = first; i < Arch::kSiteBytes; i++)
    __atomic_store_n(ip + i, bytes[i], __ATOMIC_RELAXED);
  return true;
}

bool TextAccess::store_insn(uint8_t *ip, uint64_t from, uint64_t to) {
  if (from == to)
    return true;
  if (!direct())
    return write_mem(ip, &to, Arch::kSiteBytes);
  auto at = reinterpret_cast<uint64_t>(ip);
  uint64_t word = round_down(at + (uint64_t)__builtin_ctzll(from ^ to) / 8, 8);
  // The other bytes of the word are text that no other thread changes: all pokes are under one
  // lock.
  uint64_t value = *reinterpret_cast<uint64_t *>(word);
  constexpr uint64_t ours = Arch::kInsnMask;
  if (word <= at) { // the bytes in front of it are the low ones
    unsigned shift = 8 * (unsigned)(at - word);
    value = (value & ~(ours << shift)) | to << shift;
  } else {
    unsigned shift = 8 * (unsigned)(word - at);
    value = (value & ~(ours >> shift)) | to >> shift;
  }
  __atomic_store_n(reinterpret_cast<uint64_t *>(word), value, __ATOMIC_RELEASE);
  return true;
}

} // namespace nophook
