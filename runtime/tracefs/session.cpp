// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and answers the packets of a client, and owns its handles.

#include "tracefs/session.h"

#include "base/own_identity.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>

namespace nophook {

namespace {

constexpr uint64_t kPathBytes = 640;

struct Request {
  nophook_control_request head;
  char data[NOPHOOK_CONTROL_DATA_BYTES];
};

uint32_t g_open = 0; // number of open sessions. The server is one thread
bool g_leaves = false;

// Reads a path as a text that ends in 0. False: too long.
bool read_path(const char *data, uint64_t bytes, Text<kPathBytes> *path) {
  path->add(data, bytes);
  return bytes < kPathBytes;
}

// The lines of a folder's entries; entries that do not fit are left out: no folder is so large.
struct Lines {
  char *to;
  uint64_t bytes;
};

void add_entry(const char *name, unsigned mode, void *context) {
  auto *lines = static_cast<Lines *>(context);
  Text<272> line;
  char octal[7] = "000000";
  for (int i = 5; i >= 0; i--, mode /= 8)
    octal[i] = (char)('0' + mode % 8);
  line.add(octal).add(" ").add(name).add("\n");
  if (line.size() > NOPHOOK_CONTROL_DATA_BYTES - lines->bytes)
    return;
  copy_bytes(lines->to + lines->bytes, line.c_str(), line.size());
  lines->bytes += line.size();
}

} // namespace

bool Session::is_asked_to_leave() {
  const bool leaves = g_leaves;
  g_leaves = false;
  return leaves;
}

void Session::begin(int socket, uint64_t now) {
  g_open++;
  socket_ = socket;
  last_ = now;
  is_greeted_ = false;
}

void Session::end() {
  for (OpenFile *&file : files_)
    if (file) {
      discard_file(file);
      file = nullptr;
    }
  if (socket_) {
    sys(SYS_close, socket_);
    g_open--;
  }
  socket_ = 0;
}

void Session::forget_parents(Session *sessions, uint32_t count) {
  ::memset(static_cast<void *>(sessions), 0, count * sizeof *sessions);
  g_open = 0;
  g_leaves = false;
}

int64_t Session::open_path(const char *data, uint64_t bytes, uint32_t flags) {
  Text<kPathBytes> path;
  if (!read_path(data, bytes, &path))
    return -ENAMETOOLONG;
  for (uint32_t handle = 0; handle < NOPHOOK_CONTROL_HANDLES; handle++)
    if (!files_[handle]) {
      Status status = open_control_file(path.c_str(), (int)flags, &files_[handle]);
      return status.ok() ? (int64_t)handle : -status.error;
    }
  return -EMFILE;
}

int64_t Session::close_handle(uint32_t handle) {
  OpenFile *closed = file(handle);
  if (!closed)
    return -EBADF;
  files_[handle] = nullptr;
  Status status = closed->close();
  discard_file(closed);
  return -status.error;
}

int64_t Session::take(const nophook_control_request &request, const char *data, uint64_t bytes,
                      Packet *packet) {
  if (!is_greeted_ && request.op != NOPHOOK_CONTROL_HELLO)
    return -EPROTO;
  switch (request.op) {
  case NOPHOOK_CONTROL_HELLO:
    is_greeted_ = request.offset == NOPHOOK_CONTROL_VERSION;
    return is_greeted_ ? process_id() : -EPROTO;
  case NOPHOOK_CONTROL_OPEN:
    return open_path(data, bytes, request.flags);
  case NOPHOOK_CONTROL_READ:
    if (!file(request.handle))
      return -EBADF;
    packet->bytes = file(request.handle)->read(packet->data, sizeof packet->data, request.offset);
    return (int64_t)packet->bytes;
  case NOPHOOK_CONTROL_WRITE: {
    if (!file(request.handle))
      return -EBADF;
    uint64_t taken;
    Status status = file(request.handle)->write(data, bytes, &taken);
    return status.ok() ? (int64_t)taken : -status.error;
  }
  case NOPHOOK_CONTROL_CLOSE:
    return close_handle(request.handle);
  case NOPHOOK_CONTROL_LIST: {
    Text<kPathBytes> path;
    Lines lines = {packet->data, 0};
    if (!read_path(data, bytes, &path) || !list_control_files(path.c_str(), add_entry, &lines))
      return -ENOENT;
    packet->bytes = lines.bytes;
    return (int64_t)lines.bytes;
  }
  case NOPHOOK_CONTROL_MKDIR:
  case NOPHOOK_CONTROL_RMDIR: {
    Text<kPathBytes> path;
    if (!read_path(data, bytes, &path))
      return -ENAMETOOLONG;
    return -(request.op == NOPHOOK_CONTROL_MKDIR ? make_control_folder(path.c_str())
                                                 : remove_control_folder(path.c_str()))
                .error;
  }
  case NOPHOOK_CONTROL_LEAVE:
    if (!is_text(data, bytes, NOPHOOK_CONTROL_LEAVE_WORD))
      return -ENOSYS;
    g_leaves = g_open == 1;
    return g_leaves ? 0 : -EBUSY;
  default:
    return -ENOSYS;
  }
}

// Answers the requests. The server is one thread, so one packet of each kind is enough.
void Session::answer(uint64_t now) {
  static Request request;
  static Packet packet;
  last_ = now;
  long bytes = sys(SYS_recvfrom, socket_, &request, sizeof request, MSG_DONTWAIT | MSG_TRUNC);
  if (bytes == -EAGAIN || bytes == -EINTR)
    return;
  if (bytes < (long)sizeof request.head || bytes > (long)sizeof request)
    return end();
  packet.bytes = 0;
  packet.reply.result =
      take(request.head, request.data, (uint64_t)bytes - sizeof request.head, &packet);
  if (sys_failed(sys(SYS_sendto, socket_, &packet, sizeof packet.reply + packet.bytes,
                     MSG_DONTWAIT | MSG_NOSIGNAL)))
    end();
}

} // namespace nophook
