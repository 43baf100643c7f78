// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Restores the files of a process's control tree if we cannot: kill -9, and the kernel when memory
// runs out, leave no time. A separate process, the guardian, knows the old text of each file, and
// waits at a pipe for our end. It has its own session, so that a signal to our process group does
// not reach it.

#pragma once

#include "foundation/file.h"

#include <string>
#include <sys/types.h>

namespace nophook {

class Guardian {
public:
  // `lock`: a descriptor that stays open until all is restored; -1: none.
  Guardian(int32_t pid, int lock) : pid_(pid), lock_(lock) {}
  Guardian(const Guardian &) = delete;
  Guardian &operator=(const Guardian &) = delete;
  ~Guardian() { wait(); }

  // Called before the file is changed; `text` is its text so far. Files are restored in reverse
  // order. If no process can be made, there is no guardian.
  void keep(const std::string &path, const std::string &text);

  // All files have been put back.
  void forget();
  // Nothing has to be put back; the guardian ends, and its lock with it.
  void end();

  // The process does not answer. The guardian restores the files once it does, and is not waited
  // for. False: there is no guardian.
  bool takes_over();
  bool is_there() const { return child_ > 0; }

private:
  void start();
  void wait();
  [[noreturn]] void watch(FileDescriptor pipe) const;
  void send(const std::string &path, const std::string &text);

  const int32_t pid_;
  const int lock_;
  pid_t child_ = 0; // 0: not yet, -1: there is none
  FileDescriptor pipe_;
};

} // namespace nophook
