// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the mappings by PROCMAP_QUERY or from the text of /proc/self/maps.

#include "base/mappings.h"

#include "base/syscall.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

namespace nophook {
namespace {

// struct procmap_query of linux/fs.h, which is younger than the headers that we build with.
struct ProcmapQuery {
  uint64_t size, flags, address;
  uint64_t start, end, vma_flags;
  uint64_t page_size, offset, inode;
  uint32_t major, minor, name_size, build_id_size;
  uint64_t name, build_id;
};
static_assert(sizeof(ProcmapQuery) == 104);
constexpr uint64_t kCoveringOrNext = 0x10;
// The rights have the same numbers in both.
constexpr uint64_t kRights = PROT_READ | PROT_WRITE | PROT_EXEC;

} // namespace

Mappings::~Mappings() {
  if (file_ >= 0)
    sys(SYS_close, file_);
}

bool Mappings::open() {
  if (file_ < 0)
    file_ = sys(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
  return file_ >= 0;
}

// Sets `*is_answer` to whether the kernel knows the question; false: there is no mapping.
bool Mappings::query(uint64_t address, Mapping *found, bool *is_answer) {
  ProcmapQuery ask = {};
  ask.size = sizeof ask;
  ask.flags = kCoveringOrNext;
  ask.address = address;
  long result = sys(SYS_ioctl, file_, _IOWR('f', 17, ProcmapQuery), &ask);
  *is_answer = result == 0 || result == -ENOENT;
  if (result != 0)
    return false;
  *found = {ask.start, ask.end, (int)(ask.vma_flags & kRights)};
  return true;
}

int Mappings::next_byte() {
  if (at_ == end_) {
    long bytes = sys(SYS_read, file_, text_, sizeof text_);
    if (sys_failed(bytes) || bytes == 0)
      return -1;
    at_ = 0, end_ = (uint32_t)bytes;
  }
  return (unsigned char)text_[at_++];
}

// Parses the next line: START-END RIGHTS ...
bool Mappings::next_line(Mapping *line) {
  *line = {};
  uint64_t number = 0;
  int fields = 0, c;
  while ((c = next_byte()) >= 0 && c != '\n') {
    if (c == '-' && fields == 0) {
      line->start = number, number = 0, fields = 1;
    } else if (c == ' ' && fields < 3) {
      line->end = fields == 1 ? number : line->end;
      fields++;
    } else if (fields < 2) {
      number = number << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    } else if (fields == 2) {
      line->prot |= c == 'r' ? PROT_READ : c == 'w' ? PROT_WRITE : c == 'x' ? PROT_EXEC : 0;
    }
  }
  return c >= 0;
}

Mappings::Answer Mappings::find(uint64_t address, Mapping *found) {
  const bool is_back = address < asked_;
  asked_ = address;
  *found = last_;
  if (!is_back && address < last_.end)
    return Answer::kFound;
  if (!open())
    return Answer::kUnknown;
  if (has_query_) {
    bool is_there = query(address, found, &has_query_);
    last_ = is_there ? *found : Mapping{};
    if (has_query_)
      return is_there ? Answer::kFound : Answer::kNone;
  } else if (is_back) { // read again from the first line
    sys(SYS_close, file_);
    file_ = -1;
    at_ = end_ = 0;
    if (!open())
      return Answer::kUnknown;
  }
  do
    if (!next_line(&last_)) {
      last_ = {};
      return Answer::kNone;
    }
  while (last_.end <= address);
  *found = last_;
  return Answer::kFound;
}

bool Mappings::can_read(uint64_t address, uint64_t bytes) {
  for (const uint64_t end = address + bytes; address < end;) {
    Mapping mapping;
    Answer answer = find(address, &mapping);
    if (answer == Answer::kUnknown)
      return true;
    if (answer == Answer::kNone || mapping.start > address || !(mapping.prot & PROT_READ))
      return false;
    address = mapping.end;
  }
  return true;
}

} // namespace nophook
