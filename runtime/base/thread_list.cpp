// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/thread_list.h"

#include "base/own_identity.h"
#include "base/proc.h"
#include "base/syscall.h"

#include <fcntl.h>

namespace nophook {

bool ThreadList::read() {
  tids_.clear();
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
  bool works = true;
  long n = 0;
  while (works && (n = sys(SYS_getdents64, fd, entries, sizeof entries)) > 0)
    for (long at = 0; works && at < n;) {
      const auto *entry = reinterpret_cast<const Entry *>(entries + at);
      at += entry->bytes;
      auto tid = (int32_t)number_at(entry->name, 10);
      works = tid == 0 || tid == self || tids_.push(tid);
    }
  sys(SYS_close, fd);
  return works && n == 0;
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
    uint64_t found = 0; // both are in the order of birth
    for (uint64_t k = 0; k < tids_.size() && found < before_.size(); k++)
      found += tids_[k] == before_[found];
    if (found == before_.size())
      return true; // with threads that have been born since
  }
  return false;
}

} // namespace nophook
