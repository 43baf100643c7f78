// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One client of the control socket: its requests, answered one by one, and the files that it has
// open. Its requests are not trusted: sizes and handles are checked before they are used.

#pragma once

#include "tracefs/open_file.h"

#include <nophook/control.h>

namespace nophook {

class Session {
public:
  Session() = default;
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;
  ~Session() { end(); }

  void begin(int socket, uint64_t now);
  void end(); // ends the session; open edits are dropped

  // Forgets the parent's sessions in a fork child: they are not ours, and may be incomplete.
  static void forget_parents(Session *sessions, uint32_t count);

  bool is_open() const { return socket_ != 0; }
  int socket() const { return socket_; }
  uint64_t last() const { return last_; } // time of its last request

  // Whether the only client has ended the serving since the last call.
  static bool is_asked_to_leave();

  // Answers the received requests; the socket is readable. Ends the session if the client has
  // ended, or has sent something else.
  void answer(uint64_t now);

private:
  struct Packet {
    nophook_control_reply reply;
    char data[NOPHOOK_CONTROL_DATA_BYTES];
    uint64_t bytes; // size of the data
  };

  int64_t take(const nophook_control_request &request, const char *data, uint64_t bytes,
               Packet *packet);
  int64_t open_path(const char *data, uint64_t bytes, uint32_t flags);
  int64_t close_handle(uint32_t handle);
  OpenFile *file(uint32_t handle) {
    return handle < NOPHOOK_CONTROL_HANDLES ? files_[handle] : nullptr;
  }

  int socket_ = 0; // 0: no session; descriptor 0 of the server is another file
  uint64_t last_ = 0;
  bool is_greeted_ = false;
  OpenFile *files_[NOPHOOK_CONTROL_HANDLES] = {};
};

} // namespace nophook
