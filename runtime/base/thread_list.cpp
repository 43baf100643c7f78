// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads /proc/self/task by getdents64, and compares two listings until one is whole.

#include "base/thread_list.h"

#include "base/own_identity.h"
#include "base/proc.h"
#include "base/syscall.h"

#include <fcntl.h>

namespace nophook {

bool visit_other_threads(bool (*visit)(void *context, int32_t tid), void *context) {
  long fd = sys(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (sys_failed(fd))
    return false;
  struct Entry { // linux_dirent64
    uint64_t inode;
    int64_t offset;
    uint16_t bytes;
    uint8_t type;
    char name[];
  };
  alignas(Entry) char entries[1024];
  const int32_t self = thread_id();
  bool goes_on = true;
  long n = 0;
  while (goes_on && (n = sys(SYS_getdents64, fd, entries, sizeof entries)) > 0)
    for (long at = 0; goes_on && at < n;) {
      const auto *entry = reinterpret_cast<const Entry *>(entries + at);
      at += entry->bytes;
      auto tid = (int32_t)number_at(entry->name, 10);
      goes_on = tid == 0 || tid == self || visit(context, tid);
    }
  sys(SYS_close, fd);
  return goes_on && n == 0;
}

bool ThreadList::read() {
  tids_.clear();
  return visit_other_threads([this](int32_t tid) { return tids_.push(tid); });
}

bool ThreadList::read_whole() {
  constexpr int kMostTries = 20;
  if (!read())
    return false;
  for (int i = 0; i < kMostTries; i++) {
    if (tids_.empty())
      return true;
    before_.swap(tids_);
    if (!read())
      return false;
    // Number of the first list's threads that the second one has; both are in the order of birth.
    uint64_t found = 0;
    for (uint64_t k = 0; k < tids_.size() && found < before_.size(); k++)
      found += tids_[k] == before_[found];
    if (found == before_.size())
      return true; // threads that were born since are in it, too
  }
  return false;
}

} // namespace nophook
