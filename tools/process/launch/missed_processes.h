// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processes of a recording that were not recorded, and why.
//
// Only those are named that could have been: their program, or a library of it, has sites. To know
// that, files are read, for which the recorder has no time while the program runs: it keeps each
// program open that it meets, once, and reads them at the end.

#pragma once

#include "foundation/file.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace nophook {

// Whether what it executes, or a library of that, has sites.
bool process_has_sites(int32_t pid);

class MissedProcesses {
public:
  enum class Why : uint8_t {
    kNone,        // it has our environment; but may be a static program without the runtime
    kEnvironment, // it has not
    kExecuted,    // a process that records what runs already does not follow what that executes
    kPreload,     // it has our environment, but for LD_PRELOAD
    kHidden, // the kernel does not show what it executes: it is set-user-ID, or of another user
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
    std::string name;       // of one that is hidden
    auto operator<=>(const Key &) const = default;
  };

  std::map<Key, Image> images_;
};

} // namespace nophook
