// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process's buffer file: made, described to readers, stopped. The contract with readers
// is include/nophook/buffer.h; the writing of events is buffer/writer.cpp.
//
// State of the event path, and who changes it:
//
//      g_tracing   0/1; inherited by fork; tracer start and stop (under the runtime's lock),
//                  and the event path itself when the reader says stop or nothing works
//      owner       in a page that is zeroed in a fork child; the pid whose buffer is open.
//                  0 while g_tracing: a child's first event, which opens a buffer of its own
//
// Everything here may run in the slow path of an event, inside a signal handler, in a child
// of a multi-threaded process: no libc, no lock, no vector registers.

#pragma once

#include "arch/fast_path.h"
#include "base/status.h"
#include "sites/module.h"

#include <nophook/buffer.h>

namespace nophook {

constexpr uint32_t kRingCount = 8192;
constexpr uint64_t kDefaultBufferKib = 256 << 10;
constexpr uint64_t kLeastBufferKib = 1024;

// Zeroed by the kernel in a fork child.
struct ProcessPage {
  int32_t owner; // 0: nobody; -1: being opened; else the pid
};

// The FULL sub-buffers of a ring that overwrites, by index + 1; 0: none. The owner's alone.
struct Chain {
  uint32_t oldest, newest;
};

struct BufferState {
  nophook_buffer *header; // start of the mapping
  nophook_ring *rings;
  uint32_t *states;
  char *subbufs;
  uint8_t *backed; // by sub-buffer: 1 once its memory has been taken; zeroed by fork
  Writer *writers; // by ring; zeroed by fork
  Chain *chains;   // by ring; zeroed by fork
  uint32_t *next;  // by sub-buffer: the one after it in its chain
  ProcessPage *process;
  uint64_t kib;      // the size
  uint32_t made_for; // sub-buffers: what it may become
  uint32_t most;     // the size in sub-buffers: from this one on none is begun
  uint32_t tracer;
  uint32_t full, wait_ms, paused; // as in the header
  bool leaves_children;
  uint32_t gave_up_waiting; // nobody reads: until a sub-buffer is free again
  char directory[512];
  char maps_path[640];
};
extern BufferState g_buffer;
extern uint32_t g_tracing;

// Says where this process and its fork children put their files, and how much memory each
// may take. Must be called before buffer_open. Errors: ENAMETOOLONG, EINVAL.
Status buffer_configure(const char *directory, uint64_t kib);
bool buffer_configured();

// buffer_size_kb: how much memory it may take from now on, and those of later fork children. What
// that means for events that are there: nophook/buffer.h. Under the runtime's lock. Errors: EINVAL
// (too small), ENOMEM (more than the file was made for, or than there is). buffer/resize.cpp.
Status buffer_resize(uint64_t kib);

// Before it is opened: what a full ring does (NOPHOOK_FULL_).
void buffer_when_full(uint32_t what, uint32_t wait_ms);
// Children of fork are not traced, until one sets a tracer itself.
void buffer_leave_children();

// `paused` of the header; before the buffer is opened, how it begins. Under the runtime's lock.
void buffer_pause(bool paused);
bool buffer_is_paused();

// Opens the buffer, lists all known modules in it and sends log lines there. If it is open
// already, lists `new_modules` newest ones and tells the tracer.
// Errors: those of open, ftruncate and mmap on the directory; ENOMEM.
Status buffer_open(uint32_t tracer, uint32_t new_modules);

// Lets events flow, or stops them: after buffer_stop() no new event is begun; one that is
// being written at this moment may still be completed.
void buffer_start();
void buffer_stop();
inline bool buffer_is_on() {
  return __atomic_load_n(&g_tracing, __ATOMIC_RELAXED);
}

// tracing_on: from the return of buffer_switch_off() on no event is begun in this process but by
// who was about to write one. Anywhere, signal handlers included. False: it was so already.
bool buffer_switch_off();
bool buffer_switch_on();

// Events so far are gone for readers: `> trace`. Under the runtime's lock. buffer/clear.cpp.
void buffer_clear();
// If a reader has said `stop`: cleared, and events flow again.
void buffer_begin_anew();
// Makes the counts of a ring those since the last clearing. Its owner, or who empties what a thread
// that is gone has left.
void follow_clears(nophook_ring *ring);
// Counted events among the first `bytes` of a sub-buffer that have not been cleared.
uint64_t count_events(const nophook_subbuf *subbuf, uint64_t bytes);

// The calling thread's CPU, or NOPHOOK_CPU_UNKNOWN.
uint32_t current_cpu();

// An event from C++. As nophook_event_slow (arch/fast_path.h), with values behind it
// (nophook/buffer.h), less than 2 KiB. Any thread, signal handlers, no lock.
struct NewEvent {
  uint32_t kind;
  uint64_t signature;
  uint64_t frame;
  uint64_t parent;
  const uint8_t *values;
  uint32_t value_bytes;
};
uint64_t write_event(const NewEvent &event); // the event's signature

// A log sink (base/log.h): lines go into the buffer's header.
bool buffer_log(const char *line, size_t bytes);

// Which sub-buffer the owner of `w` writes next, ACTIVE and all zero but for its header; null if
// there is none, and then the event is lost. buffer/subbufs.cpp.
nophook_subbuf *next_subbuf(Writer *w);
void leave_subbuf(Writer *w);
// Of a sub-buffer that is the caller's alone and holds nothing any more: gives its memory back.
void release_subbuf(uint32_t index);
// A ring for the calling thread `tid`, or kRingCount. buffer/rings.cpp.
uint32_t take_ring(int32_t tid);
// While the caller holds the lock of those who give sub-buffers back: calls `act`. False: another
// one does. buffer/clear.cpp.
bool with_reader_lock(void (*act)());

inline nophook_subbuf *subbuf_at(uint32_t index) {
  return reinterpret_cast<nophook_subbuf *>(g_buffer.subbufs +
                                            (uint64_t)index * NOPHOOK_SUBBUF_BYTES);
}

// For the event path: makes the buffer usable in this process. False: do not trace.
bool buffer_ready();

} // namespace nophook
