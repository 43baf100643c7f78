// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the files of a process's control tree back if we cannot: kill -9 and the kernel when memory
// runs out leave no time to. A process of its own knows what each file said, and waits at a pipe
// for our end. It is in a session of its own, so that a signal to our process group spares it.

#pragma once

#include "base/file.h"

#include <string>
#include <sys/types.h>

namespace nophook {

class Guardian {
public:
  explicit Guardian(int32_t pid) : pid_(pid) {}
  Guardian(const Guardian &) = delete;
  Guardian &operator=(const Guardian &) = delete;
  ~Guardian();

  // The file is about to be changed, and said `text` so far. What is put back first is what was
  // told last. Where no process can be made it goes without.
  void keep(const std::string &path, const std::string &text);

  // All is put back.
  void forget();

private:
  void start();
  [[noreturn]] void watch(FileDescriptor pipe) const;
  void send(const std::string &path, const std::string &text);

  const int32_t pid_;
  pid_t child_ = 0; // 0: not yet, -1: there is none
  FileDescriptor pipe_;
};

} // namespace nophook
