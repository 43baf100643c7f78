// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The client of a process's control socket (nophook/control.h): its control tree, file by file.

#pragma once

#include "foundation/file.h"

#include <nophook/control.h>

#include <chrono>
#include <string>
#include <vector>

namespace nophook {

// The processes of this user that serve in the folders that are searched first (--dir, then the
// ones of this environment), or in any folder. Sockets of dead processes are removed.
std::vector<int32_t> serving_processes(bool in_any_folder = false);

// Whether this process serves, in a folder that is known.
bool serves(int32_t pid);
// Whether its socket exists; it is not contacted.
bool has_socket(int32_t pid);
// The folder of its socket; empty: it does not serve.
std::string socket_folder(int32_t pid);

// The environment with which a program is started to serve: "NOPHOOK=serve LD_PRELOAD=…".
std::string words_to_serve();

// The part of a text that one request writes: whole lines, since a file may apply them one by one.
std::string_view first_part(std::string_view text);

// A process may be stopped, or not be ours at all. So a client waits for each answer for a limited
// time, and less after the first answer that did not come; and no answer is believed beyond what
// the contract allows.
class ControlClient {
public:
  // A process that is stopped, or in the middle of a large batch, answers late.
  static constexpr std::chrono::milliseconds kPatience = std::chrono::seconds(30);

  // Errors: the process does not serve, or has another version.
  static Result<ControlClient> connect(int32_t pid, std::chrono::milliseconds patience = kPatience);

  // Applies from now on.
  void wait_at_most(std::chrono::milliseconds patience);
  // Limits the wait for an answer to a second once this descriptor is readable: a signalfd, for a
  // user who wants an end. -1: none.
  void hurry_at(int descriptor) { hurry_ = descriptor; }
  // The last answer did not come in time.
  bool is_silent() const { return is_silent_; }

  // One request: its result, or -errno; the data of the reply are in `*answer`. -ENODEV: the
  // process is gone. -ETIMEDOUT: it does not answer. -EPROTO: the reply is not valid. A lost
  // connection is made again, but its handles get -EIO.
  int64_t request(nophook_control_request request, std::string_view data = {},
                  std::string *answer = nullptr);

  // The whole text of a file as of now, or -errno. -EFBIG: it has no end.
  int64_t read(const std::string &path, std::string *text);

  Result<std::string> read(const std::string &path);

  // `append`: as a shell's >>, else >. The error of a wrong edit is the process's own sentence.
  Result<> write(const std::string &path, const std::string &text, bool append);

  // The same, or -errno, with the error.
  int64_t write(const std::string &path, const std::string &text, bool append, Error *why);

  struct Entry {
    std::string name;
    bool is_folder, can_read, can_write;
  };
  Result<std::vector<Entry>> list(const std::string &folder);

  // The same, or -errno.
  int64_t list(const std::string &folder, std::vector<Entry> *entries);

private:
  int64_t connect();
  int64_t exchange(const nophook_control_request &request, std::string_view data,
                   std::string *answer);
  bool waits_in_vain() const;
  Error refused(const std::string &path, int64_t result) const;

  int32_t pid_ = 0;
  std::chrono::milliseconds patience_ = kPatience;
  bool is_silent_ = false;
  int hurry_ = -1;
  FileDescriptor socket_;
  uint32_t connection_ = 0; // number of connections so far; in front of its handles
};

} // namespace nophook
