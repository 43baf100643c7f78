// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel swaps two buffers. Here each traced program would have to take a second one of the
// same size in advance. So the used sub-buffers are copied, each by the rule that readers of a
// living process follow (nophook/buffer.h): state, words, state and `seq` again. A sub-buffer that
// has been recycled in the meantime is left out: its words are newer than the snapshot.

#include "buffer/snapshot.h"

#include "base/growing_file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/own_identity.h"
#include "base/signals.h"
#include "buffer/trace_buffer.h"

#include <errno.h>
#include <fcntl.h>

namespace nophook {
namespace {

// The snapshots of each buffer, by the buffer's number.
struct Snapshots {
  int32_t copier; // pid of the copying process: a fork child ignores an inherited one
  int32_t owner;  // pid of the process that has taken them: a fork child starts at 0
  uint32_t taken;
  bool is_allocated; // the kernel's word for its second buffer: a snapshot has been taken, and 0
                     // has not been written since
};
Snapshots g_snapshots[1 + kMaxInstances];

using Path = Text<672>;

// The name of the snapshot's file: the buffer's own name with the number behind PID-STAMP.
void name_file(const Buffer &buffer, Path *path, uint32_t number, const char *suffix) {
  uint64_t length = text_length(buffer.maps_path) - text_length(".maps");
  uint64_t name = buffer.name ? 1 + text_length(buffer.name) : 0; // @NAME
  path->add(buffer.maps_path, length - name).add(".s").number(number);
  path->add(buffer.maps_path + length - name, name).add(suffix);
}

bool write_at(long fd, const void *from, uint64_t bytes, uint64_t offset) {
  const char *at = static_cast<const char *>(from);
  while (bytes) {
    long n = sys_growing(SYS_pwrite64, fd, at, bytes, offset);
    if (n == -EINTR)
      continue;
    if (sys_failed(n) || !n)
      return false;
    at += n, offset += (uint64_t)n, bytes -= (uint64_t)n;
  }
  return true;
}

uint32_t state_of(const Buffer &buffer, uint32_t index) {
  return __atomic_load_n(&buffer.states[index], __ATOMIC_ACQUIRE);
}

// The number of bytes up to the last word that is not 0.
uint32_t used_bytes(const nophook_subbuf *subbuf) {
  const auto *words = reinterpret_cast<const uint64_t *>(subbuf + 1);
  uint64_t count = (NOPHOOK_SUBBUF_BYTES - NOPHOOK_SUBBUF_HEADER_BYTES) / 8;
  while (count && !words[count - 1])
    count--;
  return (uint32_t)count * 8;
}

// Reads words that are 0 in the copy again. A copy may hold a word, but 0 in the place of an
// earlier word that was stored later, or, on a CPU that does not order stores, earlier. By now that
// word is visible.
void fill_holes(const uint64_t *from, uint64_t *to, uint64_t count) {
  while (count && !to[count - 1])
    count--;
  for (uint64_t i = NOPHOOK_SUBBUF_HEADER_BYTES / 8; i < count; i++)
    if (!to[i])
      to[i] = __atomic_load_n(&from[i], __ATOMIC_ACQUIRE);
}

// Copies one sub-buffer. False: it has been recycled during the copy.
bool copy_subbuf(Buffer &buffer, uint32_t index, nophook_subbuf *copy) {
  const nophook_subbuf *subbuf = subbuf_at(buffer, index);
  uint32_t before = state_of(buffer, index);
  const auto *from = reinterpret_cast<const uint64_t *>(subbuf);
  auto *to = reinterpret_cast<uint64_t *>(copy);
  uint64_t bytes = 0;
  // If memory was added in the meantime, an event may lie across the end of the old part.
  for (uint64_t had; had = bytes, (bytes = readable_bytes(buffer, index)) > had;) {
    for (uint64_t i = 0; i < bytes / 8; i++)
      to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
  }
  fill_holes(from, to, bytes / 8);
  for (uint64_t i = bytes / 8; i < NOPHOOK_SUBBUF_BYTES / 8; i++)
    to[i] = 0;
  uint32_t after = state_of(buffer, index);
  bool same = after == before || (before == NOPHOOK_SUBBUF_ACTIVE && after == NOPHOOK_SUBBUF_FULL);
  return same && copy->tid && nophook_is_seq(copy->seq) &&
         __atomic_load_n(&subbuf->seq, __ATOMIC_RELAXED) == copy->seq;
}

// Writes all sub-buffers, and the header last: without the header, readers ignore the file.
bool write_all(Buffer &buffer, long fd, uint32_t number, char *scratch) {
  nophook_buffer *header = buffer.header;
  auto *copy = reinterpret_cast<nophook_subbuf *>(scratch);
  uint64_t count = header->subbuf_used;
  bool good =
      !sys_failed(sys_growing(SYS_ftruncate, fd, header->file_bytes)) &&
      write_at(fd, buffer.rings, buffer.ring_used * sizeof(nophook_ring), header->rings_offset);
  for (uint32_t i = 0; i < count && good; i++) {
    if (state_of(buffer, i) == NOPHOOK_SUBBUF_FREE || !copy_subbuf(buffer, i, copy))
      continue;
    copy->used = used_bytes(copy);
    uint32_t full = NOPHOOK_SUBBUF_FULL;
    good = write_at(fd, copy, sizeof *copy + copy->used,
                    header->subbufs_offset + (uint64_t)i * NOPHOOK_SUBBUF_BYTES) &&
           write_at(fd, &full, sizeof full, header->states_offset + (uint64_t)i * sizeof full);
  }
  auto *head = reinterpret_cast<nophook_buffer *>(scratch);
  copy_bytes(head, header, sizeof *header);
  head->snapshot = number;
  head->clock_busy = 0;
  return good && write_at(fd, head, sizeof *head, 0);
}

bool save(Buffer &buffer, uint32_t number, const char *maps, const char *temporary,
          const char *final) {
  char *scratch = static_cast<char *>(map_pages(NOPHOOK_SUBBUF_BYTES));
  if (!scratch)
    return false;
  long fd = sys(SYS_openat, AT_FDCWD, temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                0600);
  bool good = !sys_failed(fd) && write_all(buffer, fd, number, scratch);
  if (!sys_failed(fd))
    sys(SYS_close, fd);
  unmap_pages(scratch, NOPHOOK_SUBBUF_BYTES);
  // The list of functions only grows, so the snapshot links to the same file. Without functions
  // there is no list.
  long linked = sys(SYS_linkat, AT_FDCWD, buffer.maps_path, AT_FDCWD, maps, 0);
  good = good && (!sys_failed(linked) || linked == -ENOENT || linked == -EEXIST) &&
         !sys_failed(sys(SYS_renameat, AT_FDCWD, temporary, AT_FDCWD, final));
  if (!good)
    sys(SYS_unlinkat, AT_FDCWD, temporary, 0);
  return good;
}

uint32_t taken(const Buffer &buffer) {
  const Snapshots &snapshots = g_snapshots[buffer.number];
  uint32_t count = snapshots.owner == process_id() ? snapshots.taken : 0;
  return count < kMaxSnapshots ? count : kMaxSnapshots;
}

bool is_usable(Buffer &buffer) {
  return buffer_is_on(buffer) ? buffer_ready(buffer) : buffer_is_open(buffer);
}

// Calls `body` in one thread at a time, with signals blocked.
template <class Body> bool copy_alone(Buffer &buffer, Body body) {
  BlockSignals block;
  Snapshots &snapshots = g_snapshots[buffer.number];
  auto pid = process_id();
  int32_t copier = __atomic_load_n(&snapshots.copier, __ATOMIC_RELAXED);
  if (!is_usable(buffer) || copier == pid ||
      !__atomic_compare_exchange_n(&snapshots.copier, &copier, pid, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    return false;
  if (snapshots.owner != pid)
    snapshots.owner = pid, snapshots.taken = 0, snapshots.is_allocated = false;
  bool good = body(snapshots);
  snapshots.is_allocated = snapshots.is_allocated || good;
  __atomic_store_n(&snapshots.copier, 0, __ATOMIC_RELEASE);
  return good;
}

bool save_as(Buffer &buffer, uint32_t number, bool tell) {
  Path maps, temporary, final;
  name_file(buffer, &maps, number, ".maps");
  name_file(buffer, &temporary, number, ".tmp");
  name_file(buffer, &final, number, ".buf");
  bool good = save(buffer, number, maps.c_str(), temporary.c_str(), final.c_str());
  LogText line;
  if (!good)
    log_line(line.add("snapshot ").number(number).add(": no room in buffer_dir"));
  else if (tell)
    log_line(line.add("the trace so far is in ").add(final.c_str()));
  return good;
}

} // namespace

bool snapshot_is_allocated(const Buffer &buffer) {
  const Snapshots &snapshots = g_snapshots[buffer.number];
  return snapshots.owner == process_id() && snapshots.is_allocated;
}

void free_snapshots(const Buffer &buffer) {
  drop_snapshots(buffer);
  g_snapshots[buffer.number].is_allocated = false;
}

void drop_snapshots(const Buffer &buffer) {
  if (!buffer_is_open(buffer)) // a file with its name would be the parent's
    return;
  constexpr const char *kSuffixes[] = {".buf", ".maps"};
  for (uint32_t number = 1; number <= kLatencySnapshot; number++)
    for (const char *suffix : kSuffixes) {
      Path path;
      name_file(buffer, &path, number, suffix);
      if (number <= taken(buffer) || number == kLatencySnapshot)
        sys(SYS_unlinkat, AT_FDCWD, path.c_str(), 0);
    }
  g_snapshots[buffer.number].taken = 0;
}

bool take_snapshot(Buffer &buffer, bool tell) {
  return copy_alone(buffer, [&](Snapshots &snapshots) {
    if (snapshots.taken < kMaxSnapshots)
      return save_as(buffer, ++snapshots.taken, tell);
    LogText line;
    if (snapshots.taken++ == kMaxSnapshots)
      log_line(line.add("there are ").number(kMaxSnapshots).add(" snapshots: no more are taken"));
    return false;
  });
}

bool renew_snapshot(Buffer &buffer) {
  return copy_alone(buffer, [&](Snapshots &snapshots) {
    snapshots.taken = snapshots.taken < kMaxSnapshots ? snapshots.taken + 1 : kMaxSnapshots;
    return save_as(buffer, snapshots.taken, false);
  });
}

bool take_latency_snapshot(Buffer &buffer) {
  return copy_alone(buffer, [&](Snapshots &) { return save_as(buffer, kLatencySnapshot, false); });
}

} // namespace nophook
