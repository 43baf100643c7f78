// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stopped thread of another process loads the runtime, or wakes it, and goes on as if nothing had
// been. docs/design/attach.md has the steps, and what becomes of the thread if the command is
// killed between two of them.

#pragma once

#include "foundation/file.h"
#include "process/attach/thread_state.h"
#include "process/stop/held_thread.h"

#include <chrono>
#include <functional>
#include <string>

namespace nophook {

// Where the process has what the call needs.
struct RemoteEntries {
  LibcCode libc;
  uint64_t dlopen = 0, dlsym = 0, dlerror = 0, errno_location = 0;
  uint64_t wake = 0;   // of a runtime that is there; 0: it is to be loaded
  std::string library; // its path, as the process sees it; empty: the process cannot see it
  std::string passed;  // then a path of ours: the process gets a copy
  bool may_lose_signal = false; // its seccomp filter is not known, and may let tgkill fail
};

struct RemoteResult {
  // The thread is as it was, and the process, too, unless `is_begun`: then the library may be
  // loaded. A clause about the thread.
  std::string refusal;
  bool is_for_ever = false; // the refusal is about the process: no other thread would do
  bool is_begun = false;
  std::string error; // the loader's, if it has refused the library
  int64_t woken = 0; // what wake() returned
  bool is_done = false;
};

class RemoteCall {
public:
  // `thread` stands still, and no signal is about to be delivered to it.
  RemoteCall(HeldThread &thread, const RemoteEntries &entries)
      : thread_(thread), entries_(entries) {}

  // Calls `wake(settings)` of the runtime, which is loaded first if it is not there. `state`: what
  // the thread goes on with; `ending` changes its registers at the last moment. The caller lets the
  // thread go.
  RemoteResult run(const ThreadState &state, const std::string &settings,
                   const std::function<void(user_regs_struct *)> &ending);

private:
  bool write(uint64_t address, const void *bytes, size_t count);
  bool prepare_own_frame(const ThreadState &resumed);
  // A system call's result, or nothing: the thread is gone.
  bool call(long number, std::initializer_list<uint64_t> arguments, int64_t *result);
  bool go_on_in_call();
  bool finish_call(int64_t *result);
  bool may_write(uint64_t bytes) const;
  void take_away(int signal);
  std::string pass_library();
  uint64_t lay_out(const ThreadState &resumed, const std::string &settings);
  bool run_code();
  bool forgo_signal();
  bool unmap();
  void read_block(RemoteResult *result);
  void go_back(const ThreadState &state, const std::function<void(user_regs_struct *)> &ending);

  HeldThread &thread_;
  const RemoteEntries &entries_;
  FileDescriptor memory_;
  // The signal that ends the code. 0: the code ends where its last system call starts.
  int signal_ = 0;
  uint64_t stack_ = 0;              // of the thread, below all that the program has there
  uint64_t region_ = 0, block_ = 0; // memory of the call's own
  std::string library_;             // that the thread is to load
  int64_t descriptor_ = -1;         // of the process: its copy of the library
  user_regs_struct registers_ = {}; // to make others of
};

} // namespace nophook
