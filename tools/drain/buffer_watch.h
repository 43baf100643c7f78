// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notices new buffers in a folder. A buffer gets its name when it is complete, so the watch waits
// for names. The folder itself is listed then, since inotify may have lost some.

#pragma once

#include "base/file.h"

#include <set>
#include <string>
#include <vector>

namespace nophook {

class BufferWatch {
public:
  Result<> begin(const std::string &folder);

  // Becomes readable when there may be a new buffer.
  int descriptor() const { return watch_.get(); }

  // Paths of the *.buf files that have come since the last call, but for those of instances; a
  // process's in their order.
  std::vector<std::string> new_buffers();

  // That a buffer is not a new one; that one of its name would be again.
  void know(const std::string &buffer) { known_.insert(buffer); }
  void forget(const std::string &buffer) { known_.erase(buffer); }

private:
  std::string folder_;
  FileDescriptor watch_; // inotify
  std::set<std::string> known_;
};

} // namespace nophook
