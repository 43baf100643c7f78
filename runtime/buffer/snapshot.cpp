// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel swaps two buffers; here a second one of the same size would have to be taken in
// advance by everybody. So the used sub-buffers are copied, each by the rule that readers of a
// living process follow (nophook/buffer.h): state, words, state and `seq` again. One that was
// recycled meanwhile is left out: its words are newer than the snapshot.

#include "buffer/snapshot.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/signals.h"
#include "buffer/buffer.h"

#include <errno.h>
#include <fcntl.h>

namespace nophook {
namespace {

int32_t g_copier =
    0; // the pid of who is at it: a fork child may inherit its parent's, which does not count
uint32_t g_taken = 0;
int32_t g_owner = 0; // the pid that has taken them: a fork child counts anew

using Path = Text<672>;

// The buffer's own name with another end.
void name_file(Path *path, uint32_t number, const char *suffix) {
  uint64_t length = text_length(g_buffer.maps_path);
  constexpr uint64_t kSuffix = 5; // ".maps"
  path->add(g_buffer.maps_path, length > kSuffix ? length - kSuffix : 0);
  path->add(".s").number(number).add(suffix);
}

bool write_at(long fd, const void *from, uint64_t bytes, uint64_t offset) {
  const char *at = static_cast<const char *>(from);
  while (bytes) {
    long n = sys(SYS_pwrite64, fd, at, bytes, offset);
    if (n == -EINTR)
      continue;
    if (sys_failed(n) || !n)
      return false;
    at += n, offset += (uint64_t)n, bytes -= (uint64_t)n;
  }
  return true;
}

uint32_t state_of(uint32_t index) {
  return __atomic_load_n(&g_buffer.states[index], __ATOMIC_ACQUIRE);
}

// Bytes up to the last word that is written.
uint32_t used_bytes(const nophook_subbuf *subbuf) {
  const auto *words = reinterpret_cast<const uint64_t *>(subbuf + 1);
  uint64_t count = (NOPHOOK_SUBBUF_BYTES - NOPHOOK_SUBBUF_HEADER_BYTES) / 8;
  while (count && !words[count - 1])
    count--;
  return (uint32_t)count * 8;
}

// False: it has been recycled meanwhile.
bool copy_subbuf(uint32_t index, nophook_subbuf *copy) {
  const auto *subbuf = reinterpret_cast<const nophook_subbuf *>(
      g_buffer.subbufs + (uint64_t)index * NOPHOOK_SUBBUF_BYTES);
  uint32_t before = state_of(index);
  const auto *from = reinterpret_cast<const uint64_t *>(subbuf);
  auto *to = reinterpret_cast<uint64_t *>(copy);
  for (uint64_t i = 0; i < NOPHOOK_SUBBUF_BYTES / 8; i++)
    to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  uint32_t after = state_of(index);
  bool same = after == before || (before == NOPHOOK_SUBBUF_ACTIVE && after == NOPHOOK_SUBBUF_FULL);
  return same && copy->tid && copy->seq != NOPHOOK_SEQ_NONE &&
         __atomic_load_n(&subbuf->seq, __ATOMIC_RELAXED) == copy->seq;
}

// What is behind the header, and the header last: without it the file is none.
bool write_all(long fd, uint32_t number, char *scratch) {
  nophook_buffer *header = g_buffer.header;
  auto *copy = reinterpret_cast<nophook_subbuf *>(scratch);
  uint64_t count = header->subbuf_used;
  bool good = !sys_failed(sys(SYS_ftruncate, fd, header->file_bytes)) &&
              write_at(fd, g_buffer.rings, kRingCount * sizeof(nophook_ring), header->rings_offset);
  for (uint32_t i = 0; i < count && good; i++) {
    if (state_of(i) == NOPHOOK_SUBBUF_FREE || !copy_subbuf(i, copy))
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

bool save(uint32_t number, const char *maps, const char *temporary, const char *final) {
  char *scratch = static_cast<char *>(map_pages(NOPHOOK_SUBBUF_BYTES));
  if (!scratch)
    return false;
  long fd = sys(SYS_openat, AT_FDCWD, temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                0600);
  bool good = !sys_failed(fd) && write_all(fd, number, scratch);
  if (!sys_failed(fd))
    sys(SYS_close, fd);
  unmap_pages(scratch, NOPHOOK_SUBBUF_BYTES);
  // The list of functions only grows, so the snapshot has the very same one. No function, no list.
  long linked = sys(SYS_linkat, AT_FDCWD, g_buffer.maps_path, AT_FDCWD, maps, 0);
  good = good && (!sys_failed(linked) || linked == -ENOENT || linked == -EEXIST) &&
         !sys_failed(sys(SYS_renameat, AT_FDCWD, temporary, AT_FDCWD, final));
  if (!good)
    sys(SYS_unlinkat, AT_FDCWD, temporary, 0);
  return good;
}

uint32_t taken() {
  uint32_t count = g_owner == (int32_t)sys(SYS_getpid) ? g_taken : 0;
  return count < kMaxSnapshots ? count : kMaxSnapshots;
}

} // namespace

bool has_snapshots() {
  return taken();
}

void drop_snapshots() {
  constexpr const char *kSuffixes[] = {".buf", ".maps"};
  for (uint32_t number = 1; number <= kLatencySnapshot; number++)
    for (const char *suffix : kSuffixes) {
      Path path;
      name_file(&path, number, suffix);
      if (number <= taken() || number == kLatencySnapshot)
        sys(SYS_unlinkat, AT_FDCWD, path.c_str(), 0);
    }
  g_taken = 0;
}

// One thread at a time, signals blocked.
template <class Body> static bool copy_alone(Body body) {
  BlockSignals block;
  auto pid = (int32_t)sys(SYS_getpid);
  int32_t copier = __atomic_load_n(&g_copier, __ATOMIC_RELAXED);
  bool has_buffer = buffer_is_on() ? buffer_ready() : buffer_is_open();
  if (!has_buffer || copier == pid ||
      !__atomic_compare_exchange_n(&g_copier, &copier, pid, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    return false;
  if (g_owner != pid)
    g_owner = pid, g_taken = 0;
  bool good = body();
  __atomic_store_n(&g_copier, 0, __ATOMIC_RELEASE);
  return good;
}

static bool save_as(uint32_t number, bool tell) {
  Path maps, temporary, final;
  name_file(&maps, number, ".maps");
  name_file(&temporary, number, ".tmp");
  name_file(&final, number, ".buf");
  bool good = save(number, maps.c_str(), temporary.c_str(), final.c_str());
  LogText line;
  if (!good)
    log_line(line.add("snapshot ").number(number).add(": no room in buffer_dir"));
  else if (tell)
    log_line(line.add("the trace so far is in ").add(final.c_str()));
  return good;
}

bool take_snapshot(bool tell) {
  return copy_alone([tell] {
    if (g_taken < kMaxSnapshots)
      return save_as(++g_taken, tell);
    LogText line;
    if (g_taken++ == kMaxSnapshots)
      log_line(line.add("there are ").number(kMaxSnapshots).add(" snapshots: no more are taken"));
    return false;
  });
}

bool take_latency_snapshot() {
  return copy_alone([] { return save_as(kLatencySnapshot, false); });
}

} // namespace nophook
