// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: the socket on which a process serves its control tree (include/tracefs.h).
//
// Made by:   the traced process, if NOPHOOK has the word `serve`, or when it is woken
//            (nophook/runtime.h): NAMESPACE-PID.sock (0600), in the folder for buffers, which is
//            0700. It is removed when the process exits normally.
// Used by:   `nophook get`, `set`, `ps`, and all other clients of the control tree.
//
// PID is the number in the process's own PID namespace, and NAMESPACE is the inode of
// /proc/PID/ns/pid, or 0 if the process cannot read it. A client believes neither: SO_PEERCRED
// gives the number of the listening process in the client's namespace. Older runtimes made
// PID.sock.
//
// SOCK_SEQPACKET: a packet is a request, or the reply to the oldest request that has none. Only
// peers of the process's own user, or root, are served. The connection ends after a packet that is
// not a request, and if the client does not read its replies. There are 16 connections. If all are
// in use, a new client replaces the one that has been silent for the longest.
//
// Handles belong to one connection and end with it. An edit that was not closed is then dropped.

#ifndef NOPHOOK_CONTROL_H
#define NOPHOOK_CONTROL_H

#include <stdint.h>

// The version in the first request; other versions are refused by -EPROTO.
#define NOPHOOK_CONTROL_VERSION 1

#define NOPHOOK_CONTROL_DATA_BYTES 32768 // the most bytes behind a request or a reply
#define NOPHOOK_CONTROL_HANDLES 64       // the most handles of a connection

enum nophook_control_op {
  NOPHOOK_CONTROL_HELLO = 1, // offset: the client's version. Result: the pid
  NOPHOOK_CONTROL_OPEN = 2,  // flags: of open(2); data: the path. Result: a handle
  NOPHOOK_CONTROL_READ =
      3, // handle, offset. Result: the number of bytes, which are the data; 0: the end
  NOPHOOK_CONTROL_WRITE = 4, // handle; data: the text. Result: the number of bytes
  NOPHOOK_CONTROL_CLOSE = 5, // handle, which ends in any case. Result: 0
  NOPHOOK_CONTROL_LIST = 6,  // data: a folder's path. Result: the number of bytes, which are the
                             // data: for each entry its mode in octal, a space, its name, a newline
  // A process that does not know an operation returns -ENOSYS.
  NOPHOOK_CONTROL_MKDIR = 7, // data: instances/NAME. Result: 0
  NOPHOOK_CONTROL_RMDIR = 8, // data: the same. Result: 0
  // The process stops serving: the socket goes, then the connection ends, then the thread. Data:
  // NOPHOOK_CONTROL_LEAVE_WORD, since a garbled request must not do that. Result: 0, or -EBUSY
  // (another client is connected). nophook/runtime.h has how it begins again.
  NOPHOOK_CONTROL_LEAVE = 9,
};

#define NOPHOOK_CONTROL_LEAVE_WORD "leave"

struct nophook_control_request {
  uint32_t op;
  uint32_t handle;
  uint64_t offset;
  uint32_t flags;
  uint32_t reserved; // 0
};

struct nophook_control_reply {
  int64_t result; // the operation's result, or -errno
};

#endif // NOPHOOK_CONTROL_H
