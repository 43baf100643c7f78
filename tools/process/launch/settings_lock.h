// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One command at a time changes a process's settings for a while, and restores them.
//
// If two do so at once, the second takes the settings of the first for the process's own. Among 20
// pairs of `attach`, two left function_graph on for good, and two recorded hardly an event. The
// lock of the buffer's reader is too late for that, since a tracer must be set before there is a
// buffer.
//
// The lock is an flock of /proc/PID/environ. Only those who may look into the process can open that
// file. It is the same one for root and the process's user, lies in no folder that a user may
// exchange, and ends with the process. The process that restores the settings of a killed command
// holds it, too.

#pragma once

#include "foundation/file.h"
#include "foundation/result.h"

#include <cstdint>
#include <functional>

namespace nophook {

class SettingsLock {
public:
  // Waits for two seconds at most: a command that begins or ends at this moment is done by then.
  // `is_in_vain` is asked in the meantime, and its error ends the wait. For a process that is gone,
  // the lock is empty.
  static Result<SettingsLock> take(int32_t pid, const std::function<Result<>()> &is_in_vain);

  // The open file that holds the lock as long as one of its copies is open. -1: there is none.
  int descriptor() const { return file_.get(); }
  void release() { file_.reset(); }

private:
  FileDescriptor file_;
};

} // namespace nophook
