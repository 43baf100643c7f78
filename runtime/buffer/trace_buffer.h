// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer file of the process: made, described to readers, stopped. The contract with readers
// is include/nophook/buffer.h; the writing of events is buffer/writer.cpp.
//
// There is the main one, which the assembly fast paths write to by a pointer in the thread's own
// storage, and one of each instance (tracers/instance.h), whose writers are found by number.
//
// State of the event path, and the events that change it:
//
//      tracing     0/1; inherited by fork; tracer start and stop (under the runtime's lock),
//                  and the event path itself when the reader says stop or nothing works
//      owner       in a page that is zeroed in a fork child; the pid whose buffer is open.
//                  0 while tracing: a child's first event, which opens a main buffer of its own;
//                  those of instances it does not continue
//
// Everything here may run in the slow path of an event, inside a signal handler, in a child
// of a multi-threaded process: no libc, no lock, no vector registers.

#pragma once

#include "arch/fast_path.h"
#include "base/status.h"
#include "buffer/ages.h"
#include "buffer/left_rings.h"
#include "buffer/trace_clock.h"
#include "sites/module.h"

#include <nophook/settings.h>

#include <nophook/buffer.h>

namespace nophook {

constexpr uint32_t kRingCount = kPlaces;
constexpr uint64_t kDefaultBufferKib = 256 << 10;
constexpr uint64_t kLeastBufferKib = NOPHOOK_LEAST_BUFFER_KIB;
constexpr uint64_t kMostGrowth = 16;  // largest growth, as a multiple of the first size
constexpr uint64_t kMostGrownGib = 4; // largest size that growth can reach, in GiB

inline uint32_t subbufs_of(uint64_t kib) {
  return (uint32_t)(kib * 1024 / NOPHOOK_SUBBUF_BYTES);
}

// Zeroed by the kernel in a fork child.
struct ProcessPage {
  int32_t owner;      // process whose buffer is open: 0: none; -1: it is being opened; else the pid
  uint64_t free_from; // no sub-buffer below this one is free; above 32 bits, `freed` at that time
  uint32_t starves;   // whether a thread has found no sub-buffer that it may overwrite
};

// The tracer, as it is stored for readers.
struct BufferTracer {
  uint32_t event = NOPHOOK_EVENT_NONE; // kind of its events; none: nop
  uint32_t form = NOPHOOK_FORM_UNKNOWN;
  const char *name = "";
  bool has_marks = false; // whether it marks the frames of open calls (buffer/open_frames.h)
};

struct Buffer {
  uint32_t number;        // number of the instance; 0: the main buffer
  uint32_t tracing;       // whether events may flow
  uint64_t generation;    // for an instance: the number of instances so far that had its number
  const char *name;       // name of the instance, or null
  nophook_buffer *header; // start of the mapping of all but the sub-buffers
  nophook_ring *rings;
  uint32_t *states;
  char **segments;           // the mappings of sub-buffers (buffer/segments.cpp); null: none yet
  uint32_t segment_shift;    // sub-buffers of a segment, as a power of 2
  uint32_t segments_mapped;  // number of mapped segments, in ascending order
  uint32_t no_more_segments; // whether the kernel has refused a segment
  uint32_t subbuf_count;     // number of sub-buffers of the file
  uint32_t ring_used;        // number of rings that have memory; the header has the same
  uint8_t *backed;           // by sub-buffer, downwards: its pages that have memory; zeroed by fork
  Writer *writers;           // by ring; zeroed by fork
  uint64_t *written_to;      // by ring, downwards: its last `subbuf`; a fork child has its parent's
  uint64_t *waiting; // by sub-buffer in a list of KeptSubbufs: the next one + 1; above 32 bits, how
                     // many of its events are counted; zeroed by fork
  Ages ages;         // the table of ages; zeroed by fork
  ProcessPage *process;
  LeftRings *left;       // zeroed by fork
  LeftQueue *left_queue; // zeroed by fork
  // For a fork child that could not make a file: the page of its parent's header, which counts the
  // child's lost events.
  nophook_buffer *parents;
  uint64_t kib;      // size of the buffer in KiB
  uint32_t made_for; // number of sub-buffers that the file is made for
  uint32_t most;     // number of sub-buffers in use: none is begun from this one on
  BufferTracer tracer;
  uint32_t full, wait_ms, paused; // as in the header
  uint32_t full_changes;          // number of changes of `full` since the file was made
  Clock clock;
  const ClockName *clock_name; // the chosen name, of a clock that has several; or null
  bool leaves_children;
  bool bounds_leftovers;
  // Bytes of NAME.maps; a fork child inherits these three with its parent's list.
  uint64_t listed_bytes;
  uint32_t listed_ids; // ids below this one are listed
  bool lists_code;
  uint64_t session; // `session` of a new file's header
  // Number of threads that have left sub-buffers beyond `most` since the last check.
  uint32_t beyond;
  // No reader is there: threads do not wait until a sub-buffer is free again.
  uint32_t gave_up_waiting;
  char directory[512];
  char maps_path[640];
};
extern Buffer g_buffer; // the main buffer
constexpr uint32_t kMaxInstances = 15;
constexpr uint32_t kTraceArrays = 1 + kMaxInstances; // by number: 0 is the top level

// Says where this process and its fork children put their files, and how much memory each
// may take. Must be called before buffer_open. Errors: ENAMETOOLONG, EINVAL.
Status buffer_configure(const char *directory, uint64_t kib);
bool buffer_configured();
// Checks that a folder for buffers is set. Errors: ENODEV.
Status must_be_configured();
// Finds out where events get the CPU's number from: before the first event. Others may do so at the
// same time. buffer/writer.cpp.
void find_cpu_numbers();

// buffer_size_kb: the memory that the buffer, and the buffers of later fork children, may take from
// now on. nophook/buffer.h has the consequences for present events. Under the runtime's lock.
// Errors: EINVAL (too small), ENOMEM (more than the file was made for, or than there is).
// buffer/resize.cpp.
Status buffer_resize(Buffer &buffer, uint64_t kib);
inline Status buffer_resize(uint64_t kib) {
  return buffer_resize(g_buffer, kib);
}

// Sets the treatment of events in a full buffer (NOPHOOK_FULL_), before it is opened.
void buffer_when_full(uint32_t what, uint32_t wait_ms, Buffer &buffer = g_buffer);
// Sets the recorder that records this process with its parent: the header's `session`.
inline void buffer_join(uint64_t session) {
  g_buffer.session = session;
}
// Leaves children of fork untraced, until a child sets a tracer itself.
void buffer_leave_children();
// Declares that the folder is the one that all programs use: fork children keep it small
// (buffer/leftovers.h).
void buffer_bound_leftovers();
// In each child of fork: a child in which a change was cut (base/lock.h) is not recorded, and its
// parent's recorder gets a notice.
void leave_cut_child(bool is_whole);

// Sets `paused` of the header; before the buffer is opened, its first value. Under the runtime's
// lock.
void buffer_pause(bool paused, Buffer &buffer = g_buffer);
bool buffer_is_paused(const Buffer &buffer = g_buffer);

// Opens the main buffer, lists all known modules in it and sends log lines there. If it is open
// already, lists the `new_modules` newest ones and stores the tracer.
// Errors: those of open, ftruncate and mmap on the directory; ENOMEM.
Status buffer_open(const BufferTracer &tracer, uint32_t new_modules);
// Sets the tracer of an open buffer. Under the runtime's lock.
void buffer_set_tracer(Buffer &buffer, const BufferTracer &tracer);

// Opens the buffer of an instance, in the main one's folder, as large, and full in the same way.
// `name` must stay. Under the runtime's lock; errors as buffer_open(), ENAMETOOLONG.
Status buffer_open_instance(Buffer &buffer, uint32_t number, const char *name);
// Lists the newest modules in it. Errors: those of write.
Status buffer_list_modules(Buffer &buffer, uint32_t new_modules);
// Appends the files that are mapped as code now.
Status buffer_list_code(Buffer &buffer);
// Gives a fork child its parent's list by a second name, if the same functions are in it. False:
// the child has to write its own. `parents` is the path.
bool buffer_inherit_list(const Buffer &buffer, const char *parents);
// Removes the file and the memory of the buffer and its writers: no thread may be writing to it. In
// a fork child the parent keeps the file.
void buffer_close_instance(Buffer &buffer);
// Whether the buffer is this process's: not one of the parent's instances.
inline bool buffer_is_own(const Buffer &buffer) {
  return buffer.process && __atomic_load_n(&buffer.process->owner, __ATOMIC_ACQUIRE) > 0;
}
// Whether the process has a buffer of its own: not a mapping that is still a parent's, or belongs
// to no process.
inline bool buffer_is_open(const Buffer &buffer = g_buffer) {
  return buffer_is_own(buffer) && buffer.header;
}

// Lets events flow, or stops them: after buffer_stop() no new event is begun; one that is
// being written at this moment may still be completed.
void buffer_start(Buffer &buffer = g_buffer);
void buffer_stop(Buffer &buffer = g_buffer);
// Stores for readers that the tracer is off. Under the runtime's lock.
inline void buffer_tracer_off(Buffer &buffer = g_buffer) {
  if (buffer_is_open(buffer))
    buffer.header->tracer_off = 1;
}
inline bool buffer_is_on(const Buffer &buffer = g_buffer) {
  return __atomic_load_n(&buffer.tracing, __ATOMIC_RELAXED);
}

// tracing_on: after buffer_switch_off() has returned, no event is begun in this process, except by
// threads that were about to write one. May be called anywhere, signal handlers included. False: it
// was in that state already.
bool buffer_switch_off(Buffer &buffer = g_buffer);
bool buffer_switch_on(Buffer &buffer = g_buffer);

// Removes all events so far for readers: `> trace`. Under the runtime's lock. buffer/clear.cpp.
void buffer_clear(Buffer &buffer = g_buffer);
// Clears the buffer and lets events flow again, if a reader has set `stop`.
void buffer_begin_anew(Buffer &buffer = g_buffer);
// Makes the counts of a ring those since the last clearing. The caller owns the ring, or empties
// the sub-buffers of a thread that is gone.
void follow_clears(const Buffer &buffer, nophook_ring *ring);
// Number of counted events among the first `bytes` of a sub-buffer that have not been cleared.
uint64_t count_events(const Buffer &buffer, const nophook_subbuf *subbuf, uint64_t bytes);

// The calling thread's CPU, or NOPHOOK_CPU_UNKNOWN.
uint32_t current_cpu();

// An event from C++. It is written as by nophook_event_slow (arch/fast_path.h), with values behind
// it (nophook/buffer.h), less than 2 KiB. Any thread, signal handlers, no lock.
struct NewEvent {
  uint32_t kind;
  uint64_t signature;
  uint64_t frame;
  uint64_t parent;
  const uint8_t *values;
  uint32_t value_bytes;
};
uint64_t write_event(const NewEvent &event); // to the main buffer; the event's signature
uint64_t write_event(Buffer &buffer, const NewEvent &event);
// An event of a row of nophook/event_kinds.h with the role INSTANT or STACKS. `values`: its fields,
// coded as the row says, for the length of the call.
uint64_t write_kind(Buffer &buffer, nophook_control kind, const uint8_t *values, uint32_t bytes);
// An event without values for which write_plain_event() (buffer/event_words.h) has no way.
uint64_t write_slow_event(Buffer &buffer, uint32_t kind, uint64_t signature, uint64_t frame,
                          uint64_t parent);
// Called by a thread that has just got a ring, in its slow path, and as restricted as that. Null:
// nothing is called.
extern void (*g_thread_begins)();
// NOPHOOK_FULL_WAIT: called before a thread waits that has no signal blocked and is on no signal
// stack, since a handler must not wait. Null: the thread waits.
extern bool (*g_is_in_handler)();
// Ends the open calls of the calling thread (NOPHOOK_END_); does nothing if it has written nothing.
void write_end(Buffer &buffer, uint32_t why);
// Reports that the calling thread continues on another stack: that of a registered fiber; 0, 0: its
// own. Does nothing if it has written nothing.
void write_fiber(Buffer &buffer, uint64_t low, uint64_t bytes);

// A log sink (base/log.h): lines go into the buffer's header.
bool buffer_log(const char *line, size_t bytes);

// Sets another clock, or another treatment of a full buffer, and drops the contents. The buffer is
// paused, no callback is in it, and the caller has the ReaderLock. Under the runtime's lock.
// Errors: EBUSY (follow_clock). buffer/reconfigure.cpp.
Status buffer_change_clock(Buffer &buffer, const ClockName &name);
Status buffer_change_full(Buffer &buffer, uint32_t full);
// Stores the clock's kind for readers. buffer/file.cpp.
void tell_clock_kind(const Buffer &buffer, nophook_buffer *header);

// The sub-buffer that the owner of `w` writes next, ACTIVE and all zero but for its header;
// kNoSubbuf if there is none, and then the event is lost. buffer/subbufs.cpp.
constexpr uint32_t kNoSubbuf = ~0u;
uint32_t next_subbuf(Buffer &buffer, Writer *w);
// Reports that another sub-buffer may be free now: threads that have found none look again.
inline void tell_freed(const Buffer &buffer) {
  __atomic_fetch_add(&buffer.header->freed, 1, __ATOMIC_RELEASE);
}
// Leaves the owner's sub-buffer for good. buffer/left_subbufs.cpp.
void leave_subbuf(Buffer &buffer, Writer *w);
// In a buffer that overwrites: lets the ring's sub-buffers that waited for an event be taken, as
// far as such events are complete by now. For the ring's owner.
void end_waiting(Buffer &buffer, uint32_t ring);
// In a buffer that overwrites: leaves the sub-buffers of other threads that have ended without
// leaving them, as far as they were begun before `than`. Asks the kernel for at most `looks`
// threads.
void leave_for_others(Buffer &buffer, uint32_t own_ring, uint64_t than, uint32_t looks);
// Reports that one of the ring's sub-buffers is not in the table of ages any more.
void let_go(Buffer &buffer, uint32_t ring);
// Empties the table of ages; no thread writes.
void forget_ages(Buffer &buffer);
// Whether an event of the ring is not complete, so that nothing of it may be overwritten. For the
// ring's owner.
bool waits_for_event(const Buffer &buffer, uint32_t ring);
// In a buffer that overwrites: whether the ring has a sub-buffer, left or not.
bool ring_holds_any(const Buffer &buffer, uint32_t ring);
// The bytes of a sub-buffer that have memory, from its header on, as far as it is known: 0 after a
// change of the size. Bytes behind them must not be read: a full file system has no page for them,
// which is a SIGBUS. Acquire and release, in pairs: a thread that sees a word behind the first part
// also sees that the rest has memory.
inline uint64_t backed_bytes(const Buffer &buffer, uint32_t index) {
  return __atomic_load_n(buffer.backed - index, __ATOMIC_ACQUIRE) * kPageBytes;
}
inline void set_backed(Buffer &buffer, uint32_t index, uint64_t bytes) {
  __atomic_store_n(buffer.backed - index, (uint8_t)(bytes / kPageBytes), __ATOMIC_RELEASE);
}
// Takes the memory of the whole sub-buffer that the caller is writing. False: there is none.
bool back_whole(Buffer &buffer, uint32_t index);
// The bytes of a begun sub-buffer that may be read.
inline uint64_t readable_bytes(Buffer &buffer, uint32_t index) {
  uint64_t bytes = backed_bytes(buffer, index);
  return bytes                       ? bytes
         : back_whole(buffer, index) ? NOPHOOK_SUBBUF_BYTES
                                     : NOPHOOK_SUBBUF_FIRST_BYTES;
}
// Gives back the memory of a sub-buffer that is the caller's alone and empty.
void release_subbuf(Buffer &buffer, uint32_t index);
// Whether the owner of `w` writes to a sub-buffer beyond the buffer's new size. leave_beyond()
// leaves it; without a reader, the runtime gives it up. buffer/resize.cpp.
bool is_beyond(const Buffer &buffer, const Writer *w);
void leave_beyond(Buffer &buffer, Writer *w);
// Sends every writer to its slow path. buffer/trace_buffer.cpp.
void end_fast_paths(Buffer &buffer);
// A ring for the calling thread `tid`, or kRingCount. buffer/rings.cpp.
uint32_t take_ring(Buffer &buffer, int32_t tid);
// The lock for giving sub-buffers back, if no reader has it at this moment. buffer/clear.cpp.
class ReaderLock {
public:
  explicit ReaderLock(const Buffer &buffer);
  ReaderLock(const ReaderLock &) = delete;
  ReaderLock &operator=(const ReaderLock &) = delete;
  ~ReaderLock();
  bool is_ours() const { return is_ours_; }

private:
  long file_;
  bool is_ours_;
};
// Calls `act` with the lock. False: another process holds it.
bool with_reader_lock(Buffer &buffer, void (*act)(Buffer &));
// The part of buffer_clear() that readers see.
void tell_cleared(Buffer &buffer);
// Gives back FULL sub-buffers that hold no events any more, also while their rings overwrite. The
// caller has the readers' lock.
void take_back_cleared(Buffer &buffer);

inline bool buffer_overwrites(const Buffer &buffer) {
  return __atomic_load_n(&buffer.full, __ATOMIC_RELAXED) == NOPHOOK_FULL_OVERWRITE;
}

// Maps the private memory for writers, before a file is made. Does nothing if it is mapped. Errors:
// ENOMEM, ENOSYS. buffer/private_memory.cpp.
Status map_private(Buffer &buffer);
// Maps the table of ages, which flight recorders alone have. Does nothing if it is mapped. Errors:
// as map_private().
Status map_ages(Buffer &buffer);
void unmap_private(Buffer &buffer);

// The size of the table of segments, for a file of `made_for` sub-buffers. buffer/segments.cpp.
uint64_t prepare_segments(Buffer &buffer);
// The size of the first segment of a file for that many sub-buffers; and its address, null: not
// mapped yet.
uint64_t first_segment_bytes(const Buffer &buffer, uint32_t subbufs);
void adopt_first_segment(Buffer &buffer, char *at);
// Unmaps the segments of a fork child's parent. If the sub-buffer at address `kept` is among them,
// private memory takes its place.
void unmap_segments(Buffer &buffer, uint64_t kept);
// The number of mapped sub-buffers, from the first one on.
uint32_t mapped_subbufs(const Buffer &buffer);
// Maps more than `mapped` sub-buffers. In the slow path of an event, signals blocked. False: there
// are no more, or the kernel refuses, which the log reports.
bool map_next_segment(Buffer &buffer, uint32_t mapped);

// A mapped sub-buffer: one whose state is or was not FREE.
inline nophook_subbuf *subbuf_at(const Buffer &buffer, uint32_t index) {
  uint32_t segment = index >> buffer.segment_shift;
  uint64_t behind = index - (segment << buffer.segment_shift);
  char *first = __atomic_load_n(&buffer.segments[segment], __ATOMIC_ACQUIRE);
  return reinterpret_cast<nophook_subbuf *>(first + behind * NOPHOOK_SUBBUF_BYTES);
}

// Makes the file and maps it. Any thread, signal handlers; errors as buffer_open().
// buffer/file.cpp.
Status buffer_open_file(Buffer &buffer);

// Makes the buffer usable in this process, for the event path. False: do not trace.
bool buffer_ready(Buffer &buffer = g_buffer);

// In a fork child that has not written yet: the address of the forking thread's sub-buffer, if that
// is the calling thread; else 0. buffer/writer.cpp.
uint64_t inherited_subbuf(const Buffer &buffer);
// In a fork child: unmaps the parent's mapping, except its first `kept_bytes`.
void buffer_leave_parents(Buffer &buffer, uint64_t kept_bytes);

// In a fork child that has no buffer of its own, any thread, signal handlers: counts it in its
// parent's buffer as a child that is not recorded, with the reason.
void buffer_tell_child_lost(Status why);
// Counts its event there.
void count_lost_of_child(const Buffer &buffer, uint64_t word);

} // namespace nophook
