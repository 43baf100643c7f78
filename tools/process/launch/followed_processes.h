// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The children of a process that `nophook attach` records, as soon as they have a buffer.
//
//   fork         the child's buffer has the session of its parent's
//   fork + exec  the program serves, as its parent, and finds what we leave for it
//                (nophook/buffer.h)
//
// Both put their buffers into the process's own folder, among those of others. Only a session's
// number shows which of them are ours. A process that has ended leaves nothing there.

#pragma once

#include "foundation/checked_folder.h"
#include "process/drain/buffer_source.h"
#include "process/drain/buffer_watch.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace nophook {

class FollowedProcesses : public BufferSource {
public:
  // Follows the process that owns this buffer, and its children. The buffer is in `folder`, and
  // named by it (CheckedFolder::entry); the folder outlives this object.
  FollowedProcesses(const std::string &buffer, const CheckedFolder &folder);
  FollowedProcesses(const FollowedProcesses &) = delete;
  FollowedProcesses &operator=(const FollowedProcesses &) = delete;
  ~FollowedProcesses() override { end(); }

  uint64_t session() const { return session_; }
  const std::string &folder() const { return folder_.path(); }

  // From now on, programs that are executed begin with these settings (words of NOPHOOK).
  Result<> begin(const std::string &settings);

  // Ends that: no program begins with them any more, and after new_buffers() none has.
  void end();

  // Marks a buffer as recorded already.
  void know(const std::string &buffer) { watch_.know(folder_.entry(name_in_folder(buffer))); }

  // Becomes readable when there may be a new buffer.
  int watch() const override { return watch_.descriptor(); }

  // The children that have been found, and the process itself if it has executed a program.
  const std::set<int32_t> &children() const { return children_; }

  std::vector<std::string> new_buffers() override;
  void done_with(const std::string &buffer, bool gone) override;

private:
  Result<> open_follow();

  const CheckedFolder &folder_;
  const uint64_t session_;
  BufferWatch watch_;
  FileDescriptor follow_; // the folder below
  int tries_ = 0;         // attempts to open it before another recorder removes it
  std::string name_;      // name of the file with the settings; empty: the process finds none
  FileDescriptor file_;   // that file, with our flock
  std::set<int32_t> children_;
  std::set<std::string> links_; // further names of the file, for children
};

} // namespace nophook
