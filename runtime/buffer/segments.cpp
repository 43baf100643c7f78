// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps the sub-buffers of this process. The file is a hole of up to 4 GiB, of which most is
// never used. If it were mapped whole, a program that locks its memory would fill it: mlockall()
// took 15.8 s and 4.25 GB, and failed under a limit (ulimit -l), which counts mapped addresses,
// whatever their protection. So the sub-buffers are mapped in segments, in ascending order, the
// next one when no sub-buffer of the others is free.
//
// By then the process may have left the file's folder behind (chroot, setuid, no descriptor free),
// and a descriptor that is kept open would disturb the program. mremap() needs neither: for an old
// size of 0 it maps the file behind a shared page a second time, and on beyond the end of the old
// mapping. qemu-user 7.2 and valgrind refuse that. There the file is opened again by its name, if
// the process still finds it.
//
// Segments are mapped in the slow path of an event, with signals blocked. Threads that map the same
// segment race by a compare-and-exchange, and the loser unmaps its own.
//
// The first segment mostly comes with the header, in one mapping: a mapping of its own costs each
// fork child 6 us, since it is copied, made and removed. If the kernel refuses both together, the
// first segment is mapped as the others are.

#include "base/log.h"
#include "base/memory.h"
#include "buffer/trace_buffer.h"

#include <errno.h>
#include <fcntl.h>

namespace nophook {
namespace {

constexpr uint32_t kMostSegments = 2048;
constexpr uint32_t kLeastShift = 5; // 2 MiB

uint32_t table_length(const Buffer &buffer) {
  return ((buffer.made_for - 1) >> buffer.segment_shift) + 1;
}

uint64_t first_of(const Buffer &buffer, uint32_t segment) {
  return (uint64_t)segment << buffer.segment_shift;
}

uint64_t bytes_of(const Buffer &buffer, uint32_t segment, uint32_t subbufs) {
  uint64_t left = subbufs - first_of(buffer, segment);
  uint64_t each = first_of(buffer, 1);
  return (left < each ? left : each) * NOPHOOK_SUBBUF_BYTES;
}
uint64_t bytes_of(const Buffer &buffer, uint32_t segment) {
  return bytes_of(buffer, segment, buffer.subbuf_count);
}

// Maps a segment by the file's name. The folder may be another one in a new root, so the file must
// have the image's number, which follows from random bytes. A function of its own, for the stack
// space of the path.
__attribute__((noinline)) char *map_by_name(const Buffer &buffer, uint64_t offset, uint64_t bytes) {
  constexpr uint64_t kEnding = sizeof ".maps" - 1;
  Text<sizeof buffer.maps_path> path;
  path.add(buffer.maps_path, text_length(buffer.maps_path) - kEnding).add(".buf");
  long file = sys(SYS_openat, AT_FDCWD, path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (sys_failed(file))
    return nullptr;
  uint64_t image = 0;
  // If it cannot be read, it stays 0.
  sys(SYS_pread64, file, &image, sizeof image, offsetof(nophook_buffer, image));
  long at = -ENOENT;
  if (image && image == buffer.header->image)
    at = sys(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, offset);
  sys(SYS_close, file);
  return sys_failed(at) ? nullptr : reinterpret_cast<char *>(at);
}

// A second mapping of the file, from `before` on: the last page that is mapped.
char *map_behind(const Buffer &buffer, const char *before, uint64_t offset, uint64_t bytes) {
  long at = sys(SYS_mremap, before, 0, kPageBytes + bytes, MREMAP_MAYMOVE);
  if (sys_failed(at))
    return map_by_name(buffer, offset, bytes);
  sys(SYS_munmap, at, kPageBytes);
  return reinterpret_cast<char *>(at) + kPageBytes;
}

// A function of its own: otherwise its text would be in the frame of every thread's first event.
__attribute__((noinline)) void report_refusal(Buffer &buffer, uint32_t mapped) {
  if (__atomic_exchange_n(&buffer.no_more_segments, 1, __ATOMIC_RELAXED))
    return;
  LogText line;
  log_line(line.add("the buffer stays at ")
               .number((uint64_t)mapped * NOPHOOK_SUBBUF_BYTES / 1024)
               .add(" KiB, as the kernel maps no more (ulimit -l with locked memory, ulimit -v): "
                    "events may be lost"));
}

} // namespace

uint64_t prepare_segments(Buffer &buffer) {
  for (buffer.segment_shift = kLeastShift; table_length(buffer) > kMostSegments;)
    buffer.segment_shift++;
  return table_length(buffer) * sizeof(char *);
}

uint64_t first_segment_bytes(const Buffer &buffer, uint32_t subbufs) {
  return bytes_of(buffer, 0, subbufs);
}

void adopt_first_segment(Buffer &buffer, char *at) {
  __atomic_store_n(&buffer.segments[0], at, __ATOMIC_RELEASE);
  __atomic_store_n(&buffer.segments_mapped, at ? 1 : 0, __ATOMIC_RELEASE);
}

void unmap_segments(Buffer &buffer, uint64_t kept) {
  for (uint32_t i = 0; i < table_length(buffer) && buffer.segments[i]; i++) {
    auto begin = reinterpret_cast<uint64_t>(buffer.segments[i]);
    uint64_t end = begin + bytes_of(buffer, i);
    if (kept >= begin && kept < end) {
      constexpr int kOver = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
      // If the kernel refuses, the thread continues in its parent's memory, in a slot that is
      // reserved there.
      sys(SYS_mmap, kept, NOPHOOK_SUBBUF_BYTES, PROT_READ | PROT_WRITE, kOver, -1, 0);
      if (kept > begin)
        unmap_pages(buffer.segments[i], kept - begin);
      begin = kept + NOPHOOK_SUBBUF_BYTES;
    }
    unmap_pages(reinterpret_cast<void *>(begin), end - begin);
    buffer.segments[i] = nullptr;
  }
  buffer.segments_mapped = buffer.no_more_segments = 0;
}

uint32_t mapped_subbufs(const Buffer &buffer) {
  uint32_t segments = __atomic_load_n(&buffer.segments_mapped, __ATOMIC_ACQUIRE);
  uint64_t end = first_of(buffer, segments);
  return end < buffer.subbuf_count ? (uint32_t)end : buffer.subbuf_count;
}

bool map_next_segment(Buffer &buffer, uint32_t mapped) {
  uint32_t segment = mapped >> buffer.segment_shift;
  if (mapped >= buffer.subbuf_count || __atomic_load_n(&buffer.no_more_segments, __ATOMIC_RELAXED))
    return false;
  const char *end = segment
                        ? buffer.segments[segment - 1] + bytes_of(buffer, segment - 1)
                        : reinterpret_cast<char *>(buffer.header) + buffer.header->subbufs_offset;
  const uint64_t offset =
      buffer.header->subbufs_offset + first_of(buffer, segment) * NOPHOOK_SUBBUF_BYTES;
  char *none = nullptr,
       *at = map_behind(buffer, end - kPageBytes, offset, bytes_of(buffer, segment));
  if (!at) {
    report_refusal(buffer, mapped);
    return false;
  }
  if (!__atomic_compare_exchange_n(&buffer.segments[segment], &none, at, false, __ATOMIC_RELEASE,
                                   __ATOMIC_RELAXED))
    unmap_pages(at, bytes_of(buffer, segment)); // another thread was faster
  __atomic_compare_exchange_n(&buffer.segments_mapped, &segment, segment + 1, false,
                              __ATOMIC_RELEASE, __ATOMIC_RELAXED);
  return true;
}

} // namespace nophook
