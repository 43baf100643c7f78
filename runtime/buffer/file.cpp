// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making a buffer file, in a process that traces itself, in each of its children, and for each
// instance.

#include "base/fork_page.h"
#include "base/growing_file.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/own_identity.h"
#include "base/signals.h"
#include "buffer/own_rings.h"
#include "buffer/trace_buffer.h"
#include "buffer/trace_clock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

namespace nophook {
namespace {

NOPHOOK_WITH_FORK Instant g_made; // the instant at which the last file was made
uint64_t g_image = 0;

// Names the image by a hash of the 16 random bytes that the kernel gives to it, which must not be
// shown themselves.
void name_image() {
  if (g_image)
    return;
  const auto *random = reinterpret_cast<const uint8_t *>(getauxval(AT_RANDOM));
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a
  for (int i = 0; random && i < 16; i++)
    hash = (hash ^ random[i]) * 0x100000001b3;
  g_image = random ? hash : 0;
}

constexpr uint64_t states_offset() {
  return kPageBytes + kRingCount * sizeof(nophook_ring);
}
uint64_t subbufs_offset(uint32_t subbufs) {
  // File systems keep pages in groups; what is given back should not be a part of one.
  return round_up(states_offset() + subbufs * sizeof(uint32_t), NOPHOOK_SUBBUF_BYTES);
}

// The name of the process's first thread: the thread that serves has a name of its own.
void name_process(char (&comm)[16]) {
  sys(SYS_prctl, PR_GET_NAME, comm);
  long file = thread_id() == process_id()
                  ? -ENOENT
                  : sys(SYS_openat, AT_FDCWD, "/proc/self/comm", O_RDONLY | O_CLOEXEC);
  if (sys_failed(file))
    return;
  char line[sizeof comm];
  long bytes = sys(SYS_read, file, line, sizeof line);
  sys(SYS_close, file);
  for (long i = 0; !sys_failed(bytes) && i < bytes; i++)
    comm[i] = line[i] == '\n' ? 0 : line[i];
}

// A fork child, whose buffer is still its parent's, runs the same program.
void name_program(const Buffer &buffer, char (&exe)[sizeof(nophook_buffer::exe)]) {
  if (buffer.header)
    return copy_bytes(exe, buffer.header->exe, sizeof exe);
  long n = sys(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", exe, sizeof exe - 1);
  exe[sys_failed(n) ? 0 : n] = 0;
}

void put_tracer(nophook_buffer *header, const BufferTracer &tracer) {
  header->tracer = tracer.event;
  header->tracer_form = tracer.form;
  Text<sizeof header->tracer_name> name;
  copy_bytes(header->tracer_name, name.add(tracer.name).c_str(), name.size() + 1);
}

void describe(const Buffer &buffer, nophook_buffer *header, uint64_t file_bytes, uint32_t subbufs,
              uint32_t most) {
  header->magic = NOPHOOK_BUFFER_MAGIC;
  header->version = NOPHOOK_BUFFER_VERSION;
  header->header_bytes = sizeof(nophook_buffer);
  header->subbuf_bytes = NOPHOOK_SUBBUF_BYTES;
  header->subbuf_count = subbufs;
  header->ring_count = kRingCount;
  header->pid = process_id();
  header->ppid = (int32_t)sys(SYS_getppid);
  Birth birth = own_birth();
  header->start_ticks = birth.start_ticks;
  header->pid_namespace = birth.pid_namespace;
  put_tracer(header, buffer.tracer);
  header->full = buffer.full;
  header->wait_ms = buffer.wait_ms;
  header->paused = buffer.paused;
  header->session = buffer.session;
  header->image = g_image;
  header->machine = Arch::kMachine;
  header->counter_hz = Arch::counter_hz();
  header->rings_offset = kPageBytes;
  header->states_offset = states_offset();
  header->subbufs_offset = subbufs_offset(subbufs);
  header->subbuf_most = header->subbuf_used = most;
  header->file_bytes = file_bytes;
  g_made = read_both_clocks();
  tell_clock_kind(buffer, header);
  name_process(header->comm);
  name_program(buffer, header->exe);
}

// DIRECTORY/PID-TSC.SUFFIX: a pid may execute another program, which opens another buffer. The path
// of an instance's buffer is DIRECTORY/PID-TSC@NAME.SUFFIX.
using Path = Text<640>;
void name_file(const Buffer &buffer, Path *path, uint64_t stamp, const char *suffix) {
  path->add(buffer.directory).add("/").number((uint64_t)process_id()).add("-").number(stamp);
  path->add(buffer.name ? "@" : "").add(buffer.name ? buffer.name : "").add(suffix);
}

// Takes the memory that is used at first. A store to a page that the file system has no room for
// would be a SIGBUS. So memory is taken before it is used: for the header, a page of rings and the
// states here, for other rings and for sub-buffers as they are taken first, or, where the kernel
// cannot do that, all at once here.
Status take_memory(Buffer &buffer, long fd, char *at, uint32_t subbufs, uint32_t most) {
  uint64_t used_end = subbufs_offset(subbufs) + (uint64_t)most * NOPHOOK_SUBBUF_BYTES;
  auto *header = reinterpret_cast<nophook_buffer *>(at);
  long result = sys(SYS_madvise, at, 2 * kPageBytes, MADV_POPULATE_WRITE);
  if (!sys_failed(result))
    result = sys(SYS_madvise, at + states_offset(), round_up(most * sizeof(uint32_t), kPageBytes),
                 MADV_POPULATE_WRITE);
  uint32_t rings = kPageBytes / sizeof(nophook_ring);
  if (result == -EINVAL) {
    result = sys_growing(SYS_fallocate, fd, 0, 0, used_end);
    for (uint32_t i = 0; i < most && !sys_failed(result); i++)
      set_backed(buffer, i, NOPHOOK_SUBBUF_BYTES);
    rings = kRingCount;
  }
  if (!sys_failed(result))
    header->ring_used = rings;
  return sys_failed(result) ? failure(ENOSPC, "there is no room for the buffer file in buffer_dir")
                            : Status{};
}

long map_shared(long fd, uint64_t bytes) {
  return sys(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
}

struct Mapped {
  nophook_buffer *header = nullptr;
  char *first_segment = nullptr; // mapping of the first segment; null: not mapped
  uint64_t bytes = 0;
};

// Makes a file for `subbufs` sub-buffers, of which `most` are used at first, and maps the part in
// front of them, if possible with the first segment.
Status map_file(Buffer &buffer, long fd, uint32_t subbufs, uint32_t most, Mapped *made) {
  const uint64_t front_bytes = subbufs_offset(subbufs);
  uint64_t mapped_bytes = front_bytes + first_segment_bytes(buffer, subbufs);
  uint64_t file_bytes = front_bytes + (uint64_t)subbufs * NOPHOOK_SUBBUF_BYTES;
  long result = sys_growing(SYS_ftruncate, fd, file_bytes);
  if (result == -EFBIG)
    return failure(EFBIG, "the buffer is larger than the limit on file sizes (ulimit -f)");
  long at = sys_failed(result) ? result : map_shared(fd, mapped_bytes);
  if (sys_failed(at) && !sys_failed(result)) // a limit on addresses or on locked memory
    at = map_shared(fd, mapped_bytes = front_bytes);
  if (sys_failed(at))
    return failure((int)-at, "there is no room for the buffer file in buffer_dir");
  Status status = take_memory(buffer, fd, reinterpret_cast<char *>(at), subbufs, most);
  if (!status.ok()) {
    sys(SYS_munmap, at, mapped_bytes);
    return status;
  }
  made->header = reinterpret_cast<nophook_buffer *>(at);
  made->bytes = mapped_bytes;
  if (mapped_bytes > front_bytes)
    made->first_segment = reinterpret_cast<char *>(at) + front_bytes;
  describe(buffer, made->header, file_bytes, subbufs, most);
  return {};
}

Status list_all(Buffer &buffer) {
  buffer.listed_bytes = buffer.listed_ids = 0;
  // Only function records callers.
  buffer.lists_code = buffer.tracer.event == NOPHOOK_EVENT_FUNCTION;
  NOPHOOK_TRY(buffer_list_modules(buffer, ~0u));
  return buffer.lists_code ? buffer_list_code(buffer) : Status{};
}

// Makes the file the buffer's own. In a fork child it takes the place of the parent's.
void adopt_file(Buffer &buffer, const Mapped &made) {
  nophook_buffer *header = made.header;
  buffer_leave_parents(buffer, 0);
  auto at = reinterpret_cast<uint64_t>(header);
  buffer.subbuf_count = header->subbuf_count;
  buffer.ring_used = header->ring_used;
  buffer.rings = reinterpret_cast<nophook_ring *>(at + header->rings_offset);
  buffer.states = reinterpret_cast<uint32_t *>(at + header->states_offset);
  adopt_first_segment(buffer, made.first_segment);
  buffer.beyond = 0; // a parent's thread was giving up sub-buffers
  __atomic_store_n(&buffer.most, header->subbuf_most, __ATOMIC_RELAXED);
  __atomic_store_n(&buffer.header, header, __ATOMIC_RELEASE);
}

} // namespace

// The instant on both clocks from which all others are counted. For the time-stamp counter it is
// the making of the file: the farther away it is, the more exact is the counter's speed.
void tell_clock_kind(const Buffer &buffer, nophook_buffer *header) {
  uint32_t kind = buffer.clock.kind;
  bool is_tsc = kind == NOPHOOK_CLOCK_TSC;
  header->unsteady = is_tsc && !tsc_is_invariant();
  header->clock_base = buffer.clock.base[kind];
  const uint64_t now_ns = monotonic_ns();
  header->start_ns = is_tsc ? g_made.ns : now_ns;
  header->start_realtime_ns = realtime_ns() - (now_ns - header->start_ns);
  header->start_tsc = is_tsc                          ? g_made.tsc
                      : kind == NOPHOOK_CLOCK_COUNTER ? header->clock_base
                                                      : clock_peek(buffer.clock);
  __atomic_store_n(&header->clock, kind, __ATOMIC_RELEASE);
}

Status buffer_open_file(Buffer &buffer) {
  uint64_t stamp = read_tsc();
  Path temporary, final, maps, parents_maps;
  name_file(buffer, &temporary, stamp, ".tmp");
  name_file(buffer, &final, stamp, ".buf");
  name_file(buffer, &maps, stamp, ".maps");
  parents_maps.add(buffer.maps_path);
  copy_bytes(buffer.maps_path, maps.c_str(), maps.size() + 1);

  long fd =
      sys(SYS_openat, AT_FDCWD, temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (sys_failed(fd))
    return failure((int)-fd, "the buffer file cannot be created in buffer_dir");
  uint32_t most = subbufs_of(buffer.kib);
  Mapped made;
  Status status = map_file(buffer, fd, buffer.made_for, most, &made);
  if (!status.ok() && buffer.made_for > most) // a limit on files or on addresses
    status = map_file(buffer, fd, most, most, &made);
  sys(SYS_close, fd);
  if (status.ok() && !buffer_inherit_list(buffer, parents_maps.c_str()))
    status = list_all(buffer);
  long result =
      status.ok() ? sys(SYS_renameat, AT_FDCWD, temporary.c_str(), AT_FDCWD, final.c_str()) : 0;
  if (sys_failed(result))
    status = failure((int)-result, "the buffer file cannot be renamed");
  if (status.ok()) {
    adopt_file(buffer, made);
    return {};
  }
  sys(SYS_unlinkat, AT_FDCWD, temporary.c_str(), 0);
  sys(SYS_unlinkat, AT_FDCWD, maps.c_str(), 0);
  if (made.header)
    sys(SYS_munmap, made.header, made.bytes);
  return status;
}

void buffer_set_tracer(Buffer &buffer, const BufferTracer &tracer) {
  buffer.tracer = tracer;
  if (tracer.event) // else the file is still another tracer's
    put_tracer(buffer.header, tracer);
  buffer.header->tracer_off = !tracer.event;
}

Status buffer_open(const BufferTracer &tracer, uint32_t new_modules) {
  NOPHOOK_TRY(may_read_counter());
  if (!at_fork_child(leave_cut_child))
    return failure(ENOMEM, "no memory for the handlers of fork");
  name_image();
  NOPHOOK_TRY(map_private(g_buffer));
  g_buffer.tracer = tracer;
  int32_t pid = process_id();
  if (g_buffer.header || g_buffer.parents) {
    BlockSignals block; // a handler's event would wait for us
    buffer_ready();     // a fork child first leaves its parent's buffer
  }
  if (__atomic_load_n(&g_buffer.process->owner, __ATOMIC_ACQUIRE) == pid && g_buffer.header) {
    buffer_set_tracer(g_buffer, tracer);
    buffer_begin_anew();
    return buffer_list_modules(g_buffer, new_modules);
  }
  NOPHOOK_TRY(buffer_open_file(g_buffer));
  __atomic_store_n(&g_buffer.process->owner, pid, __ATOMIC_RELEASE);
  set_log_sink(buffer_log);
  if (g_buffer.header->unsteady)
    log_line("the time-stamp counter of this CPU may stop or change its speed: times may be wrong");
  return {};
}

Status buffer_open_instance(Buffer &buffer, uint32_t number, const char *name) {
  copy_bytes(buffer.directory, g_buffer.directory, sizeof buffer.directory);
  buffer.kib = g_buffer.kib;
  buffer.full = g_buffer.full == NOPHOOK_FULL_WAIT ? NOPHOOK_FULL_DROP : g_buffer.full;
  buffer.full_changes = 0;
  buffer.clock = g_buffer.clock;
  buffer.clock_name = g_buffer.clock_name;
  buffer.number = number;
  buffer.generation++;
  buffer.name = name;
  buffer.tracer = {};
  name_image();
  Status status = prepare_own_rings();
  if (status.ok())
    status = map_private(buffer);
  if (status.ok())
    status = buffer_open_file(buffer);
  if (status.ok()) {
    __atomic_store_n(&buffer.process->owner, process_id(), __ATOMIC_RELEASE);
    buffer_start(buffer);
  } else {
    buffer_close_instance(buffer);
  }
  return status;
}

void buffer_close_instance(Buffer &buffer) {
  Path file;
  uint64_t stem = text_length(buffer.maps_path) > 5 ? text_length(buffer.maps_path) - 5 : 0;
  file.add(buffer.maps_path, stem).add(".buf");
  if (stem && buffer.header && buffer.header->pid == process_id()) {
    sys(SYS_unlinkat, AT_FDCWD, file.c_str(), 0);
    sys(SYS_unlinkat, AT_FDCWD, buffer.maps_path, 0);
  }
  uint64_t header_bytes = buffer.header ? buffer.header->subbufs_offset : 0;
  nophook_buffer *header = buffer.header;
  unmap_private(buffer);
  unmap_pages(header, header_bytes);
  uint64_t generation = buffer.generation;
  buffer = Buffer{};
  buffer.generation = generation;
}

} // namespace nophook
