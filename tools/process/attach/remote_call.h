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

// The addresses and paths in the process that the call needs.
struct RemoteEntries {
  LibcCode libc;
  uint64_t dlopen = 0, dlsym = 0, dlerror = 0, errno_location = 0;
  uint64_t wake = 0;   // wake() of the runtime that is loaded already; 0: it must be loaded
  std::string library; // path of the runtime as the process sees it; empty: it cannot see it
  std::string passed;  // path of our file; the process gets a copy of it
  bool may_lose_signal = false; // its seccomp filter is not known, and may let tgkill fail
};

struct RemoteResult {
  // Why there was no call, as a clause about the thread. The thread is as it was, and so is the
  // process, unless `is_begun`: then the library may be loaded.
  std::string refusal;
  bool is_for_ever = false; // the refusal is about the process: no other thread would help
  bool is_begun = false;
  std::string error; // the loader's message, if it has refused the library
  int64_t woken = 0; // result of wake()
  bool is_done = false;
};

class RemoteCall {
public:
  // `thread` stands still, and no signal is about to be delivered to it.
  RemoteCall(HeldThread &thread, const RemoteEntries &entries)
      : thread_(thread), entries_(entries) {}

  // Calls `wake(settings)` of the runtime, after loading it if the process has none. `state`: the
  // registers with which the thread goes on; `ending` changes them at the last moment. The caller
  // lets the thread go.
  RemoteResult run(const ThreadState &state, const std::string &settings,
                   const std::function<void(user_regs_struct *)> &ending);

private:
  bool write(uint64_t address, const void *bytes, size_t count);
  bool prepare_own_frame(const ThreadState &resumed);
  // Makes a system call and gives its result; false: the thread is gone.
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
  uint64_t stack_ = 0; // stack pointer of the thread, below all that the program has there
  uint64_t region_ = 0, block_ = 0; // memory of the call's own
  std::string library_;             // path that the thread loads
  int64_t descriptor_ = -1;         // descriptor, in the process, of its copy of the library
  user_regs_struct registers_ = {}; // registers on which new ones are based
};

} // namespace nophook
