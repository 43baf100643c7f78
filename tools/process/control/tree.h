// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process's control tree as every client sees it, by the command or by a mount: the files that
// the process answers itself, and the files of its events, whose text is made here, outside of the
// process (process/control/event_file.h).
//
// All functions may be called by several threads. Results below 0 are -errno.

#pragma once

#include "process/control/client.h"
#include "show/live/event_pipe.h"
#include "show/live/trace_file.h"

#include <map>
#include <mutex>

namespace nophook {

class TreeFile {
public:
  virtual ~TreeFile() = default;

  // Reads up to `bytes` of it from `offset` on. Returns the number of bytes: 0 is the end, -EAGAIN
  // means that there are none at this moment. `may_wait`: a small amount may be left for later.
  virtual int64_t read(uint64_t offset, size_t bytes, bool may_wait, std::string *text) = 0;
  virtual int64_t write(std::string_view text) = 0;

  // Whether a reader could read without waiting.
  virtual bool is_ready() { return true; }

  // Applies an edit, as close() does for a shell. The file remains usable.
  virtual int64_t flush() { return 0; }
};

// The parts of a path: the instance in instances/NAME (else empty), and the rest.
struct TreePath {
  std::string instance, rest;
  std::string in_instance(const std::string &path) const {
    return instance.empty() ? path : "instances/" + instance + "/" + path;
  }
};
TreePath split_path(const std::string &path);

// The buffer file that a process writes now, for an instance or (empty) for the top level; empty:
// none. The process is not asked.
std::string buffer_of_process(int32_t pid, const std::string &instance);

class ControlTree {
public:
  using Entry = ControlClient::Entry;

  static Result<std::unique_ptr<ControlTree>> connect(int32_t pid);
  explicit ControlTree(int32_t pid, ControlClient client) : pid_(pid), client_(std::move(client)) {}

  int32_t pid() const { return pid_; }

  int64_t list(const std::string &folder, std::vector<Entry> *entries);

  // Errors: -ENOENT, -EISDIR, -EACCES, -EBUSY, -ENODEV (the process is gone), and the file's own.
  int64_t open(const std::string &path, int flags, std::unique_ptr<TreeFile> *file);

  // mkdir and rmdir of instances. Errors: -EEXIST, -EBUSY, -EPERM, and the process's own.
  int64_t make_folder(const std::string &path);
  int64_t remove_folder(const std::string &path);

  // Holds an instance: it cannot be removed until the last user releases it. -ENOENT.
  int64_t hold(const std::string &instance);
  void let_go(const std::string &instance);

  // Sends a request, for files.
  int64_t request(const nophook_control_request &request, std::string_view data = {},
                  std::string *answer = nullptr);
  int64_t read(const std::string &path, std::string *text);
  uint64_t number_in(const std::string &path, uint64_t otherwise);
  TraceOptions trace_options(const std::string &instance);

  std::string buffer(const std::string &instance) const {
    return buffer_of_process(pid_, instance);
  }
  // The only pipe of an instance, which all readers share. Null: there is no buffer.
  Result<std::shared_ptr<EventPipe>> pipe(const std::string &instance);

private:
  int64_t open_file(const std::string &path, int flags, std::unique_ptr<TreeFile> *file);

  const int32_t pid_;
  std::mutex mutex_; // guards the client
  ControlClient client_;
  struct Hold {
    uint32_t users = 0;
    int64_t handle = -1; // handle of a file in it
  };
  std::mutex hold_mutex_;
  std::map<std::string, Hold> holds_; // by the instance's name
  std::mutex pipe_mutex_;
  std::map<std::string, std::shared_ptr<EventPipe>> pipes_; // by the instance's name
};

} // namespace nophook
