// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `nophook patch ... --stop-threads`: the threads that a process's live patches wait for are
// stopped one after the other, and those that are outside of what is left are changed over. The
// protocol is in docs/design/livepatch.md.

#pragma once

#include "patch/live_patches.h"
#include "patch/look_list.h"
#include "process/control/client.h"
#include "process/stop/stopped_thread.h"
#include "process/stop/unwound_stack.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace nophook {

class ThreadLooks {
public:
  ThreadLooks(ControlClient &client, int32_t pid) : client_(client), pid_(pid) {
    copy_.make_room();
  }

  // Looks once at each running thread that a transition waits for. A thread that cannot be
  // inspected stays as it is. Errors: the process has no such file, or its code cannot be read.
  Result<> look();

  // Adds the result of the last look() to each thread.
  void explain(std::vector<PendingThread> *threads) const;

private:
  void look_at(const Look &look, const Look::Thread &thread, const std::string &folder,
               const std::vector<LookRange> &ways);
  std::string judge(const Look &look, int32_t tid, const std::string &folder,
                    const std::vector<LookRange> &ways, bool *is_outside);

  std::string names_of(const UnwoundStack &stack) const;
  std::string inside_while_asleep(const Look &look, int32_t tid, const std::string &folder) const;

  ControlClient &client_;
  int32_t pid_;
  ProcessMap map_;
  std::optional<StackUnwinder> unwinder_;
  ThreadCopy copy_;
  std::map<int32_t, std::string> reasons_;
};

} // namespace nophook
