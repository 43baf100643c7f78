// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processes that come from the recorded program, recorded or not.
//
// A recording follows the environment: a program that is executed with the variables that `record`
// has set gets the runtime, and a program with an environment of its own does not. A buffer cannot
// show that it is missing. The kernel reports forks and execs to root alone (proc connector,
// fanotify), or for the price of one perf event for each CPU in each fork and each new thread.
// Becoming the subreaper would change getppid() of orphans.
//
// So /proc is read, which costs the program nothing. Ten times a second, the list of all processes
// is read (80 us for 150 of them, and 8 us for each new one). An inotify watch on the loader shows
// that some program begins; then the children of the known processes are looked at three times (20
// us for a process with one thread). The watch starts when the program has lived for 50 ms, since
// its end takes 13 to 30 ms (process/drain/buffer_watch.h). Until then every look is at these
// children. At most 1 % of a CPU goes into all of it, apart from the first 50 ms. A process that
// begins and ends between two looks is not seen (docs/limits.md).
//
// A process is one of ours if its parent is, or if its environment contains our folder: so does a
// daemon's, whose parents are gone. A process that has a buffer in our folder is ours, too, if it
// has overwritten its environment.

#pragma once

#include "process/drain/buffer_folder.h"
#include "process/launch/missed_processes.h"
#include "process/recorder/hook.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace nophook {

struct ProcessStatus;

class Descendants : public RecorderHook {
public:
  // Processes that are followed have the folder's marker in their environment. The processes that
  // run already are strangers.
  explicit Descendants(const BufferFolder &folder);
  // The program has been started.
  void begin(int32_t program);

  // Becomes readable when any program is executed: some looks are due within a millisecond. -1:
  // there is no watch yet.
  int descriptor() const override { return watch_.get(); }
  void take_hint() override;
  // Looks if a look is due.
  void step() override;
  std::chrono::nanoseconds most_pause() const override;

  void look_at_all(); // looks at all processes

  // The followed processes that lived at the last look, without the program itself.
  const std::vector<int32_t> &living() const { return living_; }

  const MissedProcesses &missed() const { return missed_; }
  // Some looks were skipped for lack of time: more may have been missed.
  bool may_have_missed_more() const { return has_skipped_; }

private:
  using Clock = std::chrono::steady_clock;
  enum class Kind : uint8_t { kStranger, kFollowed, kMissed };
  struct Known {
    Kind kind = Kind::kStranger;
    uint64_t begun = 0;       // time of the fork
    uint64_t environment = 0; // its address in memory: execve() moves it. 0: not known
    uint64_t look = 0;        // number of the last look that has seen it
  };

  Known known_from(int32_t pid, const ProcessStatus &status);
  void judge(int32_t pid, const ProcessStatus &status, Known *known);
  enum class Environment : uint8_t { kOurs, kNoPreload, kOther, kHidden };
  Environment environment_of(int32_t pid) const;
  bool maps_buffer(int32_t pid) const;
  void look_at(int32_t pid);
  void look_for_children();
  void start_watch();

  int32_t program_ = 0;
  const std::string folder_, marker_;
  FileDescriptor watch_; // inotify
  bool has_tried_watch_ = false;
  std::unordered_map<int32_t, Known> known_;
  MissedProcesses missed_;
  uint64_t looks_ = 0;
  std::vector<int32_t> living_;
  bool has_skipped_ = false;
  Clock::time_point begun_ = Clock::now(), last_ = begun_, last_look_;
  int eager_looks_ = 0;
  Clock::duration credit_; // time that looks may take
};

} // namespace nophook
