// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook patch list and status: the live patches of a process that serves its control tree.

#pragma once

#include "foundation/json.h"
#include "foundation/output.h"
#include "foundation/result.h"
#include "process/control/client.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nophook {

// A thread, or a fiber that the program has registered, that a transition waits for.
struct PendingThread {
  int32_t tid;             // 0: a fiber, whose stack is its name
  std::string name, waits; // empty: the kernel does not show it
  std::string look = {};   // why a look from outside has left it as it is; empty: there was none
};

struct LivePatch {
  std::string name;
  bool is_enabled, is_in_transition, replaces;
  uint64_t order;
  std::vector<PendingThread> pending;

  const char *state() const; // enabled, enabling, disabling, disabled
};

// 0: read. -ENOENT, -ENODEV: it is not enabled, or no longer. Else -errno.
int64_t read_live_patch(ControlClient &client, int32_t pid, const std::string &name,
                        LivePatch *patch);

// The threads of a control file's text, which has a number on each line, and then its fibers.
std::vector<PendingThread> threads_of(int32_t pid, const std::string &text);

// A loaded library's patch.
struct LoadedPatch {
  std::string name, state, path; // state: as above, or forced: disabled, but not to be unloaded
};
Result<std::vector<LoadedPatch>> read_loaded_patches(ControlClient &client);

// As list and status print them; JSON objects also have the threads, if there are to be some.
void add_threads(Output &output, const std::vector<PendingThread> &threads);
std::string count_text(const std::vector<PendingThread> &threads); // "2 threads and 1 fiber"
Json json_of(const LivePatch &patch);
Json json_of(const std::vector<PendingThread> &threads);

// A line for each patch, the oldest first.
Result<> list_live_patches(int32_t pid, bool json);

// The same, and the threads that each transition waits for. `stops`: those that run are stopped,
// one by one, and changed over if they can be (patch/thread_looks.h).
Result<> show_live_patches(int32_t pid, bool json, bool stops);

} // namespace nophook
