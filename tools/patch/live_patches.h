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
  std::string look = {};   // reason of the last look's failure; empty: no look
};

struct LivePatch {
  std::string name;
  bool is_enabled, is_in_transition, replaces;
  uint64_t order;
  std::vector<PendingThread> pending;

  const char *state() const; // enabled, enabling, disabling, disabled
};

// Reads a patch. 0: done. -ENOENT, -ENODEV: the patch is not enabled, or no longer. Other errors:
// -errno.
int64_t read_live_patch(ControlClient &client, int32_t pid, const std::string &name,
                        LivePatch *patch);

// The threads in a control file's text, which has a thread's number on each line, followed by
// fibers.
std::vector<PendingThread> threads_of(int32_t pid, const std::string &text);

// The patch of a loaded library.
struct LoadedPatch {
  std::string name, state, path; // state: as above, or forced: disabled, but never unloaded
};
Result<std::vector<LoadedPatch>> read_loaded_patches(ControlClient &client);

// The parts of the output of list and status; JSON objects also have the threads, if there may be
// some.
void add_threads(Output &output, const std::vector<PendingThread> &threads);
std::string count_text(const std::vector<PendingThread> &threads); // "2 threads and 1 fiber"
Json json_of(const LivePatch &patch);
Json json_of(const std::vector<PendingThread> &threads);

// Prints a line for each patch, the oldest first.
Result<> list_live_patches(int32_t pid, bool json);

// Prints the same, and the threads that each transition waits for. `stops`: running threads are
// stopped, one by one, and changed over if possible (patch/thread_looks.h).
Result<> show_live_patches(int32_t pid, bool json, bool stops);

} // namespace nophook
