// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data shared by the assembly fast paths and the C++ around them: the writer's block with its
// offsets, the tables the trampolines read, and the names of the trampolines.
// Included by assembly too; static_asserts below prove the offsets.

#pragma once

// struct Writer
#define WRITER_POS 0
#define WRITER_LIMIT 8
#define WRITER_TIME_BASE 16
#define WRITER_SP_BASE 24
#define WRITER_WATCH 32
#define WRITER_WATCHED 40

// A bit of the result of nophook_event_slow, where an event has its time: the ENTRY is lost, and
// its EXIT must not be written. Both are counted.
#define SIGNATURE_LOST 1

// function_graph's frame has a word, its mark, as long as the body runs: the frame's address, or in
// the upper half this bit and the id of a tail call that has replaced the body.
#define GRAPH_MARK_TAIL_BIT 31

// struct Profile
#define PROFILE_CHILD 0
#define PROFILE_IDS 8
#define PROFILE_COUNTS 16

// struct nophook_counts (nophook/profile.h)
#define COUNTS_HITS 0
#define COUNTS_TOTAL 8
#define COUNTS_SELF 16
#define COUNTS_SQUARE_LOW 24
#define COUNTS_SQUARE_HIGH 32
#define COUNTS_SUM 40
#define COUNTS_BYTES 48

// Slots at the start of an island (8 bytes each): the targets of the thunks of a class.
#define ISLAND_SLOT_ENTRY_ONLY 0
#define ISLAND_SLOT_THROUGH 1
#define ISLAND_SLOT_COPY 2
#define ISLAND_SLOT_AFTER_PROLOGUE 3 // behind a prologue that has set the frame pointer
#define ISLAND_SLOT_AFTER_PUSH 4     // behind a push, without a frame
#define ISLAND_SLOT_BEHIND_ENTRY 5   // behind code that does not show where the caller is

#ifndef __ASSEMBLER__

#include <nophook/profile.h>

#include <stddef.h>
#include <stdint.h>

namespace nophook {

// The FULL sub-buffers of a ring, by index + 1; 0: none. If the ring does not overwrite, only the
// newest one is known. Else `waiting` begins a list of those in which an event is not complete, and
// of those behind them; it is the owner's, and holds for the last change of `full`. All others are
// in the table of ages, where any thread takes the oldest, and `held` is their number, in front of
// kRingLeft: the thread has ended, and its ring is another one's when nothing is held.
struct KeptSubbufs {
  uint32_t newest;
  uint32_t waiting, last_waiting;
  uint32_t changes;
  uint32_t held;
};
constexpr uint32_t kRingLeft = 1u << 31;

// The clocks of a thread whose time off the CPU is recorded, when it was last known to run. All
// zero: they have not been read, or are not followed.
struct RunClocks {
  uint64_t ticks;   // time on the buffer's clock
  uint64_t cpu_ns;  // CLOCK_THREAD_CPUTIME_ID
  uint32_t foreign; // how often another user of the thread's rseq area came soon after ours
};

// The state with which one thread writes events: private memory, of which the fast paths use one
// cache line, in pages that the kernel zeroes in a fork child (MADV_WIPEONFORK). All zero means
// "take the slow path": that is how a child never writes into its parent's ring.
//
// Only the owning thread writes it, its signal handlers included. Another thread may do two
// things: store 0 to `limit`, which sends the owner to the slow path, and leave the sub-buffer of a
// thread that has ended. `kept.held` is changed by all, by atomic instructions.
struct alignas(64) Writer {
  uint64_t pos;       // address of the next free word
  uint64_t limit;     // an event may begin below it; kLimitSlackBytes are left behind it
  uint64_t time_base; // time base, in TSC ticks
  uint64_t sp_base;   // stack base: an address, a multiple of 16
  int64_t watch;    // distance from the thread pointer to the word that is compared for each event
  uint32_t watched; // the value that this word must have: see buffer/off_cpu.h
  uint32_t ring;    // index of the ring in the shared buffer
  uint64_t subbuf;  // address of the sub-buffer's header; 0: none
  uint32_t cpu;     // the CPU's number as of the last CPU event
  uint32_t index;   // index of the sub-buffer
  // Behind the line of the fast paths.
  int32_t tid;
  uint16_t owned;   // kOwned once a thread has taken this writer
  uint16_t moves;   // number of changes of sp_base so far
  uint32_t full_at; // 1 + the header's `freed` when no sub-buffer was found; 0: one was found
  KeptSubbufs kept;
  uint32_t
      inherits; // 1: the first thread of a fork child, until it has noted its parent's open calls
  RunClocks clocks;
};

constexpr uint16_t kOwned = 1, kOwnedInVfork = 2;

static_assert(offsetof(Writer, pos) == WRITER_POS);
static_assert(offsetof(Writer, limit) == WRITER_LIMIT);
static_assert(offsetof(Writer, time_base) == WRITER_TIME_BASE);
static_assert(offsetof(Writer, sp_base) == WRITER_SP_BASE);
static_assert(offsetof(Writer, watch) == WRITER_WATCH);
static_assert(offsetof(Writer, watched) == WRITER_WATCHED);
static_assert(offsetof(Writer, tid) == 64);

// The state with which one thread counts calls. As a Writer it is zeroed in a fork child, and all
// zero means "take the slow path". Only its thread writes it, signal handlers included.
struct Profile {
  uint64_t child_ticks;   // ticks of the calls that the innermost open call has made
  uint64_t ids;           // one past the largest id that has counts
  nophook_counts *counts; // the thread's counts, in the shared file
};
static_assert(offsetof(Profile, child_ticks) == PROFILE_CHILD);
static_assert(offsetof(Profile, ids) == PROFILE_IDS);
static_assert(offsetof(Profile, counts) == PROFILE_COUNTS);
static_assert(offsetof(nophook_counts, hits) == COUNTS_HITS);
static_assert(offsetof(nophook_counts, total) == COUNTS_TOTAL);
static_assert(offsetof(nophook_counts, self) == COUNTS_SELF);
static_assert(offsetof(nophook_counts, square_low) == COUNTS_SQUARE_LOW);
static_assert(offsetof(nophook_counts, square_high) == COUNTS_SQUARE_HIGH);
static_assert(offsetof(nophook_counts, sum) == COUNTS_SUM);
static_assert(sizeof(nophook_counts) == COUNTS_BYTES);

// A library that is loaded by dlopen() gets its initial-exec storage from what the loader has left,
// which glibc makes 512 bytes for all such libraries; and every thread of the program pays for it.
// The runtime's own are this header's three, and those of ops/thread.cpp (callbacks),
// base/own_identity.cpp, buffer/own_rings.cpp, capture/tracer_thread.cpp, livepatch/tasks.cpp and
// events/event_pids.cpp. The test image/event_path.test finds no more in the library.
constexpr uint32_t kThreadStorageBytes = 6 * sizeof(void *) +
                                         sizeof(uint32_t) /* nophook_no_cpu */ +
                                         sizeof(int32_t) /* event_pids */ + 12 /* own_identity */;
static_assert(kThreadStorageBytes <= 80, "a dlopen'ed runtime gets little thread-local storage");

// Events that are begun below the limit, each by a handler that interrupts the reservation of
// the one before, end before the sub-buffer does: room for 31 handlers on top of each other.
constexpr uint64_t kLimitSlackBytes = 512;

extern "C" {

// The calling thread's writer; until its first event a full one that no thread owns.
extern constinit thread_local Writer *nophook_writer __attribute__((tls_model("initial-exec")));
extern thread_local uint32_t nophook_no_cpu __attribute__((tls_model("initial-exec")));

// The distance from the thread pointer to the thread's CPU number: in the kernel's rseq area, or
// nophook_no_cpu where there is none.
extern int64_t nophook_cpu_offset;

// Tables by function id: the address behind the site, and the bytes of stack arguments.
extern uint64_t *nophook_bodies;
extern uint32_t *nophook_copies;

// Trampolines; entered from thunks only. Contracts in arch/*/trampolines.S.
void nophook_function_caller();
void nophook_function_frame_caller();
void nophook_function_pushed_caller();
void nophook_graph_caller();
void nophook_between();
void nophook_graph_copy_caller();
void nophook_graph_entry_caller();
void nophook_profile_caller();
void nophook_profile_copy_caller();
void nophook_profile_entry_caller();
void nophook_hits_caller();

// Writes one event when the fast path cannot: the first of a thread, a full sub-buffer, a moved
// base, an interrupted reservation. Called by trampolines on the program's stack with all registers
// but the vector ones saved, so it and its callees are compiled without vector instructions and
// call nothing of libc.
//
// `signature`: id and sp in their places in the event's word. An EXIT has that of its ENTRY, and
// `frame` is 0. For other events only the id counts, and sp follows from `frame`.
// Returns the signature of the event, and SIGNATURE_LOST of an ENTRY for which the full buffer has
// no room, so that a call without events needs no frame. `parent`: a FUNCTION's return address, an
// EXIT's frame, else 0.
uint64_t nophook_event_slow(uint32_t kind, uint64_t signature, uint64_t frame, uint64_t parent);

// The calling thread's counts, and how many ticks a call must last to be counted.
extern thread_local Profile *nophook_profile_of_thread __attribute__((tls_model("initial-exec")));
extern uint64_t nophook_profile_thresh;
// The slow path of the profiler, called likewise: counts that have a row for `id`; null: there are
// none.
Profile *nophook_profile_slow(uint32_t id);
// Counts a hit of the calling thread in a function to which callbacks are attached, too.
void nophook_count_hit(uint32_t id);
}

} // namespace nophook

#endif // __ASSEMBLER__
