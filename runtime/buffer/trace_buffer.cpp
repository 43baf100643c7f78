// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether events may flow into a buffer: started, stopped, paused; and again in a fork child, whose
// first event makes it a file of its own (buffer/file.cpp).

#include "buffer/trace_buffer.h"

#include "base/limit_text.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/own_identity.h"
#include "base/pause.h"
#include "buffer/leftovers.h"
#include "poke/kill_switch.h"

#include <errno.h>

namespace nophook {

Buffer g_buffer;

// Keeps the folder's absolute path: the program may change its directory (chdir) before it makes
// the next file.
Status buffer_configure(const char *directory, uint64_t kib) {
  char *path = g_buffer.directory;
  uint64_t at = 0, length = text_length(directory);
  if (kib < kLeastBufferKib)
    return failure(EINVAL, limit_text<"buffer_size_kb must be at least ", kLeastBufferKib,
                                      ", and buffer_dir have room for it">);
  if (directory[0] != '/') {
    long bytes = sys(SYS_getcwd, path, sizeof g_buffer.directory);
    if (sys_failed(bytes) || path[0] != '/') {
      path[0] = 0;
      return failure(ENOENT, "buffer_dir is relative to a folder that has no name");
    }
    at = (uint64_t)bytes;
    path[at - 1] = '/';
  }
  if (at + length >= sizeof g_buffer.directory) {
    path[0] = 0;
    return failure(ENAMETOOLONG, "buffer_dir is too long");
  }
  copy_bytes(path + at, directory, length + 1);
  g_buffer.kib = kib;
  return {};
}

void buffer_when_full(uint32_t what, uint32_t wait_ms, Buffer &buffer) {
  buffer.full = what;
  buffer.wait_ms = wait_ms;
}

void buffer_leave_children() {
  g_buffer.leaves_children = true;
}

// Leaves the mapping of the parent's buffer. A change that this thread was making there when its
// handler forked must not be made a second time here: zeroed memory takes the mapping's place, with
// a copy of the header.
static bool leave_mapping(nophook_buffer *header) {
  const uint64_t bytes = header->subbufs_offset;
  void *copy = map_pages(sizeof *header);
  if (!copy)
    return false;
  copy_bytes(copy, header, sizeof *header);
  long at = sys(SYS_mmap, header, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (!sys_failed(at))
    copy_bytes(header, copy, sizeof *header);
  unmap_pages(copy, sizeof *header);
  return !sys_failed(at);
}

void leave_cut_child(bool is_whole) {
  if (is_whole || !g_buffer.header || !g_buffer.process || buffer_is_own(g_buffer))
    return;
  if (buffer_is_on() && !g_buffer.leaves_children)
    buffer_tell_child_lost(
        failure(EINTR, "a signal handler forked it in the middle of a change of the runtime's"));
  buffer_leave_children();
  __atomic_store_n(&g_buffer.tracing, 0, __ATOMIC_RELEASE);
  if (!leave_mapping(g_buffer.header))
    __atomic_store_n(&g_buffer.header, nullptr, __ATOMIC_RELEASE);
}

void buffer_pause(bool paused, Buffer &buffer) {
  __atomic_store_n(&buffer.paused, paused, __ATOMIC_RELAXED);
  paused ? buffer_switch_off(buffer) : buffer_switch_on(buffer);
}

void buffer_bound_leftovers() {
  g_buffer.bounds_leftovers = true;
}

bool buffer_is_paused(const Buffer &buffer) {
  return buffer.header ? __atomic_load_n(&buffer.header->paused, __ATOMIC_RELAXED) : buffer.paused;
}

bool buffer_configured() {
  return g_buffer.directory[0] != 0;
}

Status must_be_configured() {
  if (buffer_configured())
    return {};
  return failure(ENODEV, "no buffer_dir is set: start the program with `nophook record`");
}

static nophook_buffer *parents_of(const Buffer &buffer) {
  return buffer.header ? buffer.header : buffer.parents;
}

void buffer_leave_parents(Buffer &buffer, uint64_t kept_bytes) {
  nophook_buffer *header = buffer.header;
  if (header) {
    // The thread may have been forked by a handler that has interrupted it between the reservation
    // of a slot in its parent's memory and the store to it. It goes on there when the handler
    // returns: at the address of that sub-buffer there is memory of its own from now on.
    unmap_segments(buffer, inherited_subbuf(buffer));
    uint64_t bytes = header->subbufs_offset;
    unmap_pages(reinterpret_cast<char *>(header) + kept_bytes, bytes - kept_bytes);
  } else if (!kept_bytes) {
    unmap_pages(buffer.parents, kPageBytes);
  }
  buffer.parents = kept_bytes ? parents_of(buffer) : nullptr;
  __atomic_store_n(&buffer.header, nullptr, __ATOMIC_RELEASE);
}

// Opens a buffer at a fork child's first event. On a failure the child's events are counted in its
// parent's header.
static bool open_again(Buffer &buffer) {
  nophook_buffer *parents = parents_of(buffer);
  buffer.paused = parents->paused; // traceoff counts, too
  buffer.session = parents->session;
  bool is_over = parents->stop || buffer.leaves_children;
  Status status = is_over ? failure(ECANCELED, "recording has stopped") : buffer_open_file(buffer);
  constexpr int32_t kOneOf = 32; // one child in this many: a look at 64 buffers takes 100 us
  if (status.ok() && buffer.bounds_leftovers && buffer.header->pid % kOneOf == 0)
    remove_leftovers(buffer.directory);
  if (is_over)
    __atomic_store_n(&buffer.tracing, 0, __ATOMIC_RELEASE);
  else if (!status.ok())
    buffer_tell_child_lost(status);
  if (!status.ok())
    buffer_leave_parents(buffer, is_over ? 0 : kPageBytes);
  __atomic_store_n(&buffer.process->owner, process_id(), __ATOMIC_RELEASE);
  return status.ok();
}

void buffer_tell_child_lost(Status why) {
  nophook_buffer *parents = parents_of(g_buffer);
  if (!parents || buffer_is_own(g_buffer) || parents->stop)
    return;
  parents->child_lost_pid = process_id();
  parents->child_lost_error = why.error;
  Text<sizeof parents->child_lost_why> text;
  copy_bytes(parents->child_lost_why, text.add(why.reason).c_str(), text.size() + 1);
  __atomic_fetch_add(&parents->children_lost, 1, __ATOMIC_RELEASE);
}

void count_lost_of_child(const Buffer &buffer, uint64_t word) {
  nophook_buffer *parents = buffer.parents;
  if (parents && !buffer.header && !parents->stop)
    __atomic_fetch_add(&parents->lost, nophook_is_counted(word), __ATOMIC_RELAXED);
}

bool buffer_ready(Buffer &buffer) {
  int32_t expected = 0;
  int32_t owner = __atomic_load_n(&buffer.process->owner, __ATOMIC_ACQUIRE);
  if (owner > 0) // null: another thread has found no room for the file
    return __atomic_load_n(&buffer.header, __ATOMIC_RELAXED) != nullptr;
  if (buffer.number)
    return false;
  if (owner == 0 && __atomic_compare_exchange_n(&buffer.process->owner, &expected, -1, false,
                                                __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
    return open_again(buffer);
  while (__atomic_load_n(&buffer.process->owner, __ATOMIC_ACQUIRE) <= 0)
    pause_briefly();
  return __atomic_load_n(&buffer.tracing, __ATOMIC_ACQUIRE) &&
         __atomic_load_n(&buffer.header, __ATOMIC_RELAXED); // null: there was no room for the file
}

void buffer_start(Buffer &buffer) {
  __atomic_store_n(&buffer.tracing, 1, __ATOMIC_SEQ_CST);
}

// Sends every writer to the slow path, which looks at `tracing` and at `paused`. An owner that is
// in the slow path now and sets its limit again looks once more afterwards. So does one that is
// only now taking a ring, which is why these loads must be behind the store that stops the events.
void end_fast_paths(Buffer &buffer) {
  const uint32_t rings = __atomic_load_n(&buffer.ring_used, __ATOMIC_SEQ_CST);
  for (uint32_t i = 0; i < rings; i++)
    if (__atomic_load_n(&buffer.rings[i].tid, __ATOMIC_SEQ_CST))
      __atomic_store_n(&buffer.writers[i].limit, 0, __ATOMIC_SEQ_CST);
}

void buffer_stop(Buffer &buffer) {
  __atomic_store_n(&buffer.tracing, 0, __ATOMIC_SEQ_CST);
  if (buffer.header) // null: it could not be opened
    end_fast_paths(buffer);
}

// Exchanges `paused`. Without a buffer so far, the value is the one that it begins with.
static bool exchange_paused(Buffer &buffer, uint32_t paused) {
  if (buffer_is_open(buffer))
    return __atomic_exchange_n(&buffer.header->paused, paused, __ATOMIC_SEQ_CST);
  return buffer.header ? paused : __atomic_exchange_n(&buffer.paused, paused, __ATOMIC_SEQ_CST);
}

bool buffer_switch_off(Buffer &buffer) {
  if (exchange_paused(buffer, 1))
    return false;
  if (buffer.header)
    end_fast_paths(buffer);
  return true;
}

bool buffer_switch_on(Buffer &buffer) {
  return exchange_paused(buffer, 0);
}

bool buffer_log(const char *line, size_t bytes) {
  nophook_buffer *header = parents_of(g_buffer);
  if (!header)
    return false;
  uint32_t at = __atomic_fetch_add(&header->log_bytes, (uint32_t)bytes + 1, __ATOMIC_RELAXED);
  if (at + bytes + 1 <=
      sizeof(header->log)) { // a full log keeps its first lines, which matter most
    copy_bytes(header->log + at, line, bytes);
    header->log[at + bytes] = '\n';
  }
  if (kill_reason() && buffer_is_own(g_buffer)) // else the header is a parent's
    header->killed = 1;
  return true;
}

} // namespace nophook
