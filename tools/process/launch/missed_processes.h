// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processes of a recording that were not recorded, and the reasons.
//
// Only processes that could have been recorded are named: their program, or a library of it, has
// sites. To know that, files are read, for which the recorder has no time while the program runs.
// So it keeps each program that it meets open, once, and reads them at the end.

#pragma once

#include "foundation/file.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace nophook {

// Whether the program that it executes, or a library of that program, has sites.
bool process_has_sites(int32_t pid);

class MissedProcesses {
public:
  enum class Why : uint8_t {
    kNone,        // it has our environment, but may be a static program without the runtime
    kEnvironment, // it lacks our environment
    kExecuted,    // a program executed by a process that is recorded by attach
    kPreload,     // it has our environment, without LD_PRELOAD
    kHidden,      // the kernel does not show its program: it is set-user-ID, or another user's
  };

  // The process `pid` executes another program than before.
  void add(int32_t pid, Why why);

  // A line for each reason, and none if all was recorded.
  std::vector<std::string> lines() const;

private:
  struct Image {
    FileDescriptor file;
    std::string name;
    std::vector<int32_t> pids;
  };
  struct Key {
    Why why;
    uint64_t device, inode; // 0: hidden
    std::string name;       // name of a hidden process
    auto operator<=>(const Key &) const = default;
  };

  std::map<Key, Image> images_;
};

} // namespace nophook
