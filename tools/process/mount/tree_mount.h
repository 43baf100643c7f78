// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process's control tree as a file system (FUSE), for shells and for programs that know the
// kernel's.
//
// Sizes are 0 and reads bypass the page cache (direct I/O), as in tracefs: a text is made when it
// is opened. A shell looks at no error of close(). So edits are applied when any descriptor is
// closed (flush), which the shell waits for, and not when the last one is (release), which it does
// not wait for.
//
// When the process is gone, the folder is empty at once, and open files return ENODEV.

#pragma once

#include "process/control/tree.h"
#include "process/mount/recorder_gate.h"

#include <atomic>
#include <deque>
#include <memory>
#include <thread>

struct fuse_buf;
struct fuse_session;

namespace nophook {

class TreeMount {
public:
  // Mounts it on `folder`, which must exist. Requests wait for run(). `gate`: for a recorder.
  static Result<std::unique_ptr<TreeMount>> create(std::unique_ptr<ControlTree> tree,
                                                   const std::string &folder,
                                                   std::unique_ptr<RecorderGate> gate = nullptr);
  TreeMount(const TreeMount &) = delete;
  TreeMount &operator=(const TreeMount &) = delete;
  ~TreeMount(); // leaves no mount behind

  // Goes on in the background; the caller's process has ended when this returns.
  Result<> leave_terminal();

  // Serves until the process has ended, the folder is unmounted, or end() is called. With
  // `heeds_signals`, SIGINT, SIGTERM and SIGHUP also end it.
  void run(bool heeds_signals);

  // Called by any thread.
  void end();

private:
  struct Operations;

  TreeMount(std::unique_ptr<Operations> operations, std::string folder);
  void detach();
  int receive(fuse_buf *request, bool *is_release);
  void serve();
  void add_listener();

  std::unique_ptr<Operations> operations_;
  std::string folder_;
  fuse_session *session_ = nullptr;
  FileDescriptor end_;     // readable: serving ends
  FileDescriptor process_; // opened before its parent can reap it: readable when it has ended
  bool is_gone_;           // it had ended before it could be opened
  std::mutex receive_mutex_;
  std::mutex mutex_;                // guards the threads
  std::deque<std::thread> threads_; // serving threads
  std::atomic<int> listeners_ = 0;  // the ones without a request
};

} // namespace nophook
