// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notices new buffers in a folder. A buffer gets its name when it is complete, so the watch waits
// for names. The folder itself is then listed, since inotify may have lost some.
//
// When an inotify descriptor is closed, the kernel waits for a grace period: 13 to 30 ms, several
// times as long as a recording of a short program takes. So a watch begins by listing the folder at
// each call, and its owner starts inotify when the program has lived for a while.

#pragma once

#include "foundation/file.h"

#include <set>
#include <string>
#include <vector>

namespace nophook {

class BufferWatch {
public:
  void begin(const std::string &folder) { folder_ = folder; }
  // From now on new_buffers() lists the folder only if a name has come. On failure it goes on
  // listing the folder at each call.
  Result<> start_inotify();

  // Becomes readable when there may be a new buffer; -1: inotify has not been started.
  int descriptor() const { return watch_.get(); }

  // Paths of the *.buf files that have come since the last call, without the ones of instances; in
  // order of time for each process.
  std::vector<std::string> new_buffers();

  // Marks a buffer as known. forget(): a later buffer of that name is new again.
  void know(const std::string &buffer) { known_.insert(buffer); }
  void forget(const std::string &buffer) { known_.erase(buffer); }

private:
  std::string folder_;
  FileDescriptor watch_; // inotify
  bool must_list_ = false;
  std::set<std::string> known_;
};

} // namespace nophook
