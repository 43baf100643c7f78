// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processes of a recording that have settings of their own: children that were there before it
// (--children), programs that are executed during it, or the names of these, and those that the
// attached process itself executes. A program loads the runtime in its own time, so that is waited
// for in another thread, one program after the other.

#pragma once

#include "process/attach/recorded_process.h"
#include "process/launch/executed_children.h"
#include "process/launch/followed_processes.h"
#include "process/launch/missed_processes.h"
#include "process/recorder/recorder.h"

#include <deque>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace nophook {

struct WantedMembers {
  bool children = false; // --children
  TrustedFilter trust = TrustedFilter::kNo;
};

class Members : public RecorderHook {
public:
  // `files`: the files of the attached process `pid`.
  Members(int32_t pid, const WantedMembers &wanted, const TraceRequest &request,
          RestoredFiles &files, FollowedProcesses &followed, Recorder &recorder)
      : pid_(pid), wanted_(wanted), request_(request), files_(files), followed_(followed),
        recorder_(recorder), executed_(pid, followed.folder(), wanted.children) {}

  // Begins with the children that exist already.
  void begin_living();
  void look() override;
  // Called after the last look; prints which programs were not recorded.
  void end();
  // Errors: the first one; the other processes are still restored.
  Result<> restore();

  size_t count() const { return members_.size() + invited_.size(); }
  std::vector<int32_t> pids() const;

private:
  using Prepared = Result<std::unique_ptr<Member>>;
  void take(int32_t pid, Prepared prepared);
  void take_prepared();
  void leave_old_program(int32_t pid);

  const int32_t pid_;
  const WantedMembers &wanted_;
  const TraceRequest &request_;
  RestoredFiles &files_;
  FollowedProcesses &followed_;
  Recorder &recorder_;
  ExecutedChildren executed_;
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<int32_t> invited_; // processes with the settings of FollowedProcesses
  MissedProcesses missed_;
  std::deque<int32_t> waiting_;
  int32_t under_way_ = 0;    // the process that is prepared
  uint64_t environment_ = 0; // hash of its environment, as in ProcessStatus
  std::future<Prepared> prepared_;
};

} // namespace nophook
