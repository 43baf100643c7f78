// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: the socket that a process serves its control tree on (include/tracefs.h).
//
// Made by:   the traced process, when asked for by the word `serve` in NOPHOOK: PID.sock (0600), in
//            the folder for buffers, which is 0700. Gone when the process exits in order.
// Used by:   `nophook get`, `set`, `ps`, and whatever else brings the tree to people.
//
// SOCK_SEQPACKET: a packet is a request, or the reply to the oldest request that has none. Only
// peers of the process's own user, or root, are served; a packet that is no request ends the
// connection, and so does a client that does not take its replies. There are 16 connections; who
// comes when all are taken gets the place of the one that has been silent for the longest.
//
// A connection's handles are its own, and end with it. An edit that was not closed is then dropped.

#ifndef NOPHOOK_CONTROL_H
#define NOPHOOK_CONTROL_H

#include <stdint.h>

// Told by the first request; other versions are refused by -EPROTO.
#define NOPHOOK_CONTROL_VERSION 1

#define NOPHOOK_CONTROL_DATA_BYTES 32768 // behind a request or a reply
#define NOPHOOK_CONTROL_HANDLES 64       // of a connection

enum nophook_control_op {
  NOPHOOK_CONTROL_HELLO = 1, // offset: the client's version. Result: the pid
  NOPHOOK_CONTROL_OPEN = 2,  // flags: of open(2); data: the path. Result: a handle
  NOPHOOK_CONTROL_READ =
      3, // handle, offset. Result: how many bytes, which are the data; 0: the end
  NOPHOOK_CONTROL_WRITE = 4, // handle; data: the text. Result: how many bytes
  NOPHOOK_CONTROL_CLOSE = 5, // handle, which ends whatever the result. Result: 0
  NOPHOOK_CONTROL_LIST = 6,  // data: a folder's path. Result: how many bytes, which are the data:
                             // for each entry its mode in octal, a space, its name, a newline
  // A process that does not know an operation says -ENOSYS.
  NOPHOOK_CONTROL_MKDIR = 7, // data: instances/NAME. Result: 0
  NOPHOOK_CONTROL_RMDIR = 8, // data: the same. Result: 0
};

struct nophook_control_request {
  uint32_t op;
  uint32_t handle;
  uint64_t offset;
  uint32_t flags;
  uint32_t reserved; // 0
};

struct nophook_control_reply {
  int64_t result; // or -errno
};

#endif // NOPHOOK_CONTROL_H
