// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process's threads but the calling one, as /proc/self/task lists them.
//
// A listing may miss a thread. The kernel remembers the last thread that it has shown. If that one
// ends before the next one is asked for, the kernel goes on by position, and skips one thread for
// each that has ended in front of it. So a list is whole only if none of its threads has ended
// while it was made, and that is so if all of them are in a second list.

#pragma once

#include "base/memory.h"

namespace nophook {

// Calls visit(context, tid) for each thread of one listing until it returns false. False: not all
// were visited, or /proc does not show them. Opens a descriptor; allocates nothing.
bool visit_other_threads(bool (*visit)(void *context, int32_t tid), void *context);
template <class Visit> bool visit_other_threads(Visit visit) {
  return visit_other_threads(
      [](void *context, int32_t tid) { return (*static_cast<Visit *>(context))(tid); }, &visit);
}

class ThreadList {
public:
  // Makes one listing, which may miss threads. False: /proc does not show all, or there is no
  // memory.
  bool read();
  // Lists again until the list is whole: every thread that was there when this was called, and has
  // not ended, is in it. False: likewise, or threads have ended during each of many listings; then
  // the list is the last one.
  bool read_whole();

  // The threads of the list, in the order of birth.
  const int32_t *begin() const { return tids_.begin(); }
  const int32_t *end() const { return tids_.end(); }

private:
  Array<int32_t> tids_, before_;
};

} // namespace nophook
