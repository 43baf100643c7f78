// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: the shared memory that events are written to and read from.
//
// Written by:  the traced process (one buffer file for each process).
// Read by:     `nophook record` while it is written, and whoever finds the file after a crash.
//
// Terms
//   buffer      one file of shared memory of one process: header, rings, states, sub-buffers
//   ring        what one thread writes to; a chain of sub-buffers ordered by `seq`
//   sub-buffer  NOPHOOK_SUBBUF_BYTES: a 64-byte header, then 8-byte words
//   event       one word, or one word and payload words behind it
//
// File
//   +--------------------+ 0
//   | nophook_buffer     | one page
//   +--------------------+ rings_offset
//   | nophook_ring  [ring_count]
//   +--------------------+ states_offset
//   | uint32 state  [subbuf_count]
//   +--------------------+ subbufs_offset (a multiple of NOPHOOK_SUBBUF_BYTES)
//   | sub-buffers   [subbuf_count]   sparse: memory is taken as sub-buffers are first used
//   +--------------------+
//
// State of a sub-buffer, and who may move it
//   FREE   --writer (CAS)-->  ACTIVE  the owner writes it; all its words were 0
//   ACTIVE --owner-------->   FULL    `used` is set; the owner has left it for good
//   FULL   --reader------->   FREE    after the reader has zeroed the whole of it
//   ACTIVE --reader------->   FREE    only when the owner's thread or process is gone
//   FULL   --owner (CAS)-->   ACTIVE  NOPHOOK_FULL_OVERWRITE alone: it is the ring's oldest and
//                                     without a hole; the owner zeroes it and begins it anew
//   FULL, ACTIVE --any writer--> ACTIVE  NOPHOOK_FULL_OVERWRITE alone, of a thread that is gone:
//                                     whoever changes its `tid` to 0 by a CAS, a reader that gives
//                                     it back included, has it
//
// With NOPHOOK_FULL_OVERWRITE the reader gives back nothing of a thread that lives: it copies a
// sub-buffer and looks at its state and `seq` again. `seq` has NOPHOOK_SEQ_NONE from before the
// first word is zeroed until the header is whole; so a copy whose `seq` is not that, and is still
// there after it, is of one sub-buffer. Its state may meanwhile become FULL, nothing else.
//
// An event is complete when its first word is not 0: payload words are stored before it,
// and the owner's stores are seen in order (x86 TSO; release order elsewhere). There is no
// commit counter. A FULL sub-buffer with a 0 word below `used` holds an event whose writer
// was interrupted by a signal handler that filled the rest: the reader leaves it FULL and
// looks again later, or, if the thread is gone, reads around the hole.
//
// Order: within a ring the words are in the order of their timestamps, signals included: a
// slot is reserved after the timestamp is read, and if a handler has written in between, the
// slot becomes a PAD and the event is begun anew.
//
// An event's word
//
//     63  61 60                 39 38          27 26                          0
//    +------+---------------------+--------------+-----------------------------+
//    | kind |          id         |      sp      |             dt              |
//    +------+---------------------+--------------+-----------------------------+
//       3            22                  12                    27
//
//   dt    time-stamp counter ticks since the ring's time base, below 2^27
//   sp    (stack base - frame) / 16, below 2^12, where `frame` is the address of the slot
//         below the return address of the traced function. It makes the call tree exact:
//         an entry at `frame` ends every open call whose frame is at or below it (exceptions,
//         longjmp, tail calls), and a jump of the base tells another stack. An EXIT repeats
//         id and sp of its ENTRY, whatever the base is by then: together they name the open
//         call that it ends, and with it every call above.
//   id    the function: nophook_maps gives module and address
//   kind  enum nophook_event
//
//   A payload word is the complement of a value below 2^61, so its kind field is PAYLOAD:
//   a reader that has lost its place finds the next event.
//
// Values: what is behind an event of kind ENTRY to FUNCTION and its own payload, if anything, is
// a text of bytes, seven in each payload word from the lowest on (0s fill the last). The first
// byte is the format; a reader passes over one that it does not know. NOPHOOK_VALUES_CALL: what
// the call had in registers and memory, on entry or, at an EXIT, on return; what of it is which
// argument is for the prototype to tell (nophook/prototype.h). Items follow, up to one of 0:
//
//     7    5 4      0
//    +------+--------+
//    | what | number |   and then, by enum nophook_value
//    +------+--------+
//   GENERAL  register of DWARF number `number`: its value (SLEB128)
//   SSE      xmm, ymm or zmm `number`: how many bytes of it (ULEB128), these
//   X87      st(number): its ten bytes
//   STACK    offset behind the return address (ULEB128), how many bytes (ULEB128), these
//   MEMORY   address (SLEB128), how many bytes (ULEB128), these
//
// NOPHOOK_VALUES_TOOK: an EXIT whose call has no ENTRY, because only calls that last long are
// wanted: how many ticks it took (ULEB128), how many recorded calls were around it (ULEB128); then,
// if anything, values of another format. Its `sp` is of the base that is in force.
//
// NOPHOOK_VALUES_COUNTERS: an EXIT: by how much counters of its thread have grown since the ENTRY:
// NOPHOOK_COUNTER_ and growth (ULEB128) of each that was asked for and did count, up to one of 0;
// then, if anything, values of another format.
//
// A MARK (the program's own words, trace_marker.h) is a CONTROL event that has a dt as others do
// and values of one of these formats:
//   NOPHOOK_VALUES_TEXT  an address in the function that speaks, or 0 (SLEB128), how many bytes
//                        (ULEB128), these
//   NOPHOOK_VALUES_RAW   how many bytes (ULEB128), these; the first four are a number
//   NOPHOOK_VALUES_STACK return addresses (SLEB128, the first one as it is, the others as the
//                        difference to the one before), innermost first, up to one of 0. It is
//                        about the event before it
//   NOPHOOK_VALUES_PROBE  an event that was made by text: `p`, or `r` at a function's return; how
//                        many bytes its description has (ULEB128), these: `GROUP/EVENT`, and for
//                        each argument ` NAME:TYPE` or ` NAME:TYPE[COUNT]`, with the kernel's
//                        types; how many bytes its record has (ULEB128), these
//                        (nophook/kernel_events.h); how many arguments could not be read
//                        (ULEB128), the number of each, from 0 on (ULEB128)
//   NOPHOOK_VALUES_REPEATS  the call of the last event of FUNCTION that is not about another has
//                        come again: function (ULEB128), return address (SLEB128), how often
//                        (ULEB128), how many ticks before this event the last time was (ULEB128)
//
// An END says that nothing that is open in its thread goes on: a CONTROL event that has a dt, and
// in its `sp` an NOPHOOK_END_. It is written where the program lets us know, and by function_graph
// alone; it is no event that is counted. Of what a thread still calls behind it no call is around.
//
// Who reads: several may look at once, one at a time gives sub-buffers back. It holds the file's
// flock(LOCK_EX) while it does, of which the kernel relieves it if it is killed: a recorder for as
// long as it records, others for a moment. A FULL sub-buffer whose `used` is 0 holds nothing: its
// reader was killed while it zeroed the rest.
//
// A buffer is cleared by storing the time of now into `cleared` (it only grows) and then adding 1
// to `clears`: events before that time are gone for readers, and the counts of a ring whose
// `clears` is not the header's are 0. A sub-buffer may hold both: nophook_words_before() finds the
// place. Whoever has cleared gives back, if it can have the lock, FULL sub-buffers that hold
// nothing else.
//
// It begins anew, after a reader has said `stop` or was killed: the next one takes the lock, clears
// it, and stores 0 into `stop`. Threads go on where they are; whichever tracer is on. A process
// whose tracer is set does the same if `stop` is 1. Who has said `stop` itself heeds no later
// `cleared`.
//
// Its size: the file is made for more sub-buffers than may be begun, and `subbuf_most` is moved
// while threads write. Of what is beyond it the process takes away what owners have left, and
// counts it as lost, unless a recorder is there; a thread leaves its own when it writes; a flight
// recorder's rings give up theirs as they write on, the oldest first. Whoever gives one back that
// is beyond gives its memory back as well.
//
// Whose numbers: `pid` and `tid` mean something only in the PID namespace of the process. A reader
// elsewhere finds it by namespace, number and start time (NSpid in /proc/*/status), or not at all.
// A reader that cannot prove that a process or a thread has ended takes nothing from it. Older
// writers do not tell the namespace (`header_bytes` ends before it): it is taken for the reader's.
//
// No room: a thread that has found no sub-buffer does not look again before `freed` has grown, or
// it has lost some events: a reader may be killed before it has added to `freed`.
//
// Children: a recorder that follows those of a process stores its own number into `session`. The
// buffer that a fork child makes for its first event has its parent's. A program that is executed
// with `serve` in NOPHOOK looks in the folder for follow/PID, of its own number and then of its
// ancestors': a recorder's session in decimal, a space, and settings as in NOPHOOK, which it begins
// with. The recorder holds the flock of that file as long as it records; a file without is
// nobody's. When it ends, it lets go of the file and then looks for buffers a last time; a program
// looks once more whether the lock is held when its buffer is there, and else stops.
//
// Time and stack bases change by CONTROL events in the stream; each sub-buffer's header
// repeats them, so that it can be read alone.

#ifndef NOPHOOK_BUFFER_H
#define NOPHOOK_BUFFER_H

#define NOPHOOK_BUFFER_MAGIC 0x46554248504f4e01 // "\1NOPHBUF", little endian
// Raised when an older reader would misread; 1 had no values behind events, 2 dropped the newest
// events whenever a ring was full, 3 had the time-stamp counter as its only clock, 4 had nothing
// but 1s in a `seq` that is none, and no NOPHOOK_MAP_CODE. What is new at the end of a header does
// not raise it: where an older writer has nothing there are zeroes. A reader refuses a later
// version.
#define NOPHOOK_BUFFER_VERSION 5

#define NOPHOOK_SUBBUF_BYTES 65536 // a power of two
#define NOPHOOK_SUBBUF_HEADER_BYTES 64

// The word's fields.
#define NOPHOOK_DT_BITS 27
#define NOPHOOK_SP_BITS 12
#define NOPHOOK_ID_BITS 22
#define NOPHOOK_SP_SHIFT NOPHOOK_DT_BITS
#define NOPHOOK_ID_SHIFT (NOPHOOK_DT_BITS + NOPHOOK_SP_BITS)
#define NOPHOOK_KIND_SHIFT (NOPHOOK_ID_SHIFT + NOPHOOK_ID_BITS)
#define NOPHOOK_SP_UNIT_SHIFT 4 // stack addresses are told in units of 16 bytes

// Kinds. Plain macros: the assembly fast paths use them.
#define NOPHOOK_EVENT_NONE 0       // an empty slot
#define NOPHOOK_EVENT_ENTRY 1      // function_graph: a call begins; its EXIT will tell the end
#define NOPHOOK_EVENT_EXIT 2       // function_graph: the body has returned
#define NOPHOOK_EVENT_TAIL 3       // function_graph: entered by a tail call, ends with its caller
#define NOPHOOK_EVENT_ENTRY_ONLY 4 // function_graph: a function that is not called through
#define NOPHOOK_EVENT_FUNCTION 5   // function: payload = return address into the caller; sp = 0
#define NOPHOOK_EVENT_CONTROL 6    // id = enum nophook_control, bits 0-38 = its value
#define NOPHOOK_EVENT_PAYLOAD 7

// Controls, in the id field of a CONTROL event.
#define NOPHOOK_CONTROL_CPU 1   // value: the CPU from here on
#define NOPHOOK_CONTROL_TIME 2  // payload: the time base from here on (TSC ticks)
#define NOPHOOK_CONTROL_STACK 3 // payload: the stack base from here on
#define NOPHOOK_CONTROL_PAD 4   // nothing: a slot that was taken in vain
#define NOPHOOK_CONTROL_MARK 5  // value: dt; values behind it
#define NOPHOOK_CONTROL_END 6   // value: dt, and why in the place of `sp`

// Why the open calls of a thread are over.
#define NOPHOOK_END_THREAD 0  // it ends: pthread_exit(), a cancellation
#define NOPHOOK_END_PROCESS 1 // it has called exit()

// The function profiler, which writes no events: nophook/profile.h.
#define NOPHOOK_TRACER_PROFILE 8

// Values behind an event.
#define NOPHOOK_VALUES_CALL 1 // formats
#define NOPHOOK_VALUES_TEXT 2
#define NOPHOOK_VALUES_RAW 3
#define NOPHOOK_VALUES_TOOK 4
#define NOPHOOK_VALUES_STACK 5
#define NOPHOOK_VALUES_REPEATS 6
#define NOPHOOK_VALUES_PROBE 7
#define NOPHOOK_VALUES_COUNTERS 8
#define NOPHOOK_COUNTER_TASK_CLOCK 1 // nanoseconds on a CPU
#define NOPHOOK_COUNTER_PAGE_FAULTS 2
#define NOPHOOK_COUNTER_MINOR_FAULTS 3
#define NOPHOOK_COUNTER_MAJOR_FAULTS 4
#define NOPHOOK_COUNTER_CONTEXT_SWITCHES 5
#define NOPHOOK_COUNTER_CYCLES 6 // the CPU's, in user space
#define NOPHOOK_COUNTER_INSTRUCTIONS 7
#define NOPHOOK_COUNTER_CACHE_REFERENCES 8
#define NOPHOOK_COUNTER_CACHE_MISSES 9
#define NOPHOOK_COUNTER_BRANCHES 10
#define NOPHOOK_COUNTER_BRANCH_MISSES 11
#define NOPHOOK_COUNTER_BUS_CYCLES 12
#define NOPHOOK_COUNTER_STALLED_FRONTEND 13
#define NOPHOOK_COUNTER_STALLED_BACKEND 14
#define NOPHOOK_COUNTER_REF_CYCLES 15
#define NOPHOOK_COUNTERS 15
// By perf's names, from 1 on; from CYCLES on also perf_event_attr.config, from 0 on.
#define NOPHOOK_COUNTER_NAMES                                                                      \
  "task-clock", "page-faults", "minor-faults", "major-faults", "context-switches", "cycles",       \
      "instructions", "cache-references", "cache-misses", "branches", "branch-misses",             \
      "bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"
#define NOPHOOK_VALUES_PER_WORD 7      // bytes
#define NOPHOOK_VALUES_MAX_BYTES 448   // of a call
#define NOPHOOK_VALUE_OBJECT_BYTES 256 // of one object in memory; a larger one is left out
#define NOPHOOK_VALUE_TEXT_BYTES 65    // of a text; so many tell that there is more
#define NOPHOOK_VALUE_SHIFT 5
#define NOPHOOK_VALUE_END 0
#define NOPHOOK_VALUE_GENERAL 1
#define NOPHOOK_VALUE_SSE 2
#define NOPHOOK_VALUE_X87 3
#define NOPHOOK_VALUE_STACK 4
#define NOPHOOK_VALUE_MEMORY 5

// What happens to events when no sub-buffer is free.
#define NOPHOOK_FULL_DROP 0      // the newest are dropped
#define NOPHOOK_FULL_OVERWRITE 1 // the oldest of the same ring are overwritten
#define NOPHOOK_FULL_WAIT 2      // the thread waits for the reader, for wait_ms at most; then drop

// What events are stamped with: `trace_clock`. Ticks are the time-stamp counter's, nanoseconds of
// one of the kernel's clocks, or events.
#define NOPHOOK_CLOCK_TSC 0
#define NOPHOOK_CLOCK_MONO 1     // CLOCK_MONOTONIC
#define NOPHOOK_CLOCK_MONO_RAW 2 // CLOCK_MONOTONIC_RAW; `local`, too
#define NOPHOOK_CLOCK_BOOT 3     // CLOCK_BOOTTIME
#define NOPHOOK_CLOCK_COUNTER 4  // of the process's events, from 1

// `consumed` of a ring: the low bits of a sub-buffer's `seq`, and how many of its words, as well as
// all sub-buffers before it, nobody is to read again. Changed by who has the lock.
#define NOPHOOK_CONSUMED_WORD_BITS 14

// A bit of no sub-buffer's number: this one is being recycled. The others are what `overwritten` of
// its ring will be with its events; so who is killed before he has added them leaves an exact
// count.
#define NOPHOOK_SEQ_NONE 0x8000000000000000

// The CPU number when the kernel does not tell it (no rseq).
#define NOPHOOK_CPU_UNKNOWN 0xffffffffu

#ifndef __ASSEMBLER__

#include <stdint.h>

enum nophook_subbuf_state {
  NOPHOOK_SUBBUF_FREE = 0,
  NOPHOOK_SUBBUF_ACTIVE = 1,
  NOPHOOK_SUBBUF_FULL = 2,
};

// Header of the file. Fields above `stop` are constant once the file has its final name, but for
// `tracer` and, with `clock`, the start (it is created as NAME.tmp and renamed to NAME.buf when it
// is complete).
struct nophook_buffer {
  uint64_t magic;
  uint32_t version;
  uint32_t header_bytes; // sizeof(struct nophook_buffer)
  uint32_t subbuf_bytes;
  uint32_t subbuf_count;
  uint32_t ring_count;
  int32_t pid;
  int32_t ppid;
  uint32_t tracer; // which tracer is on: NOPHOOK_EVENT_FUNCTION, NOPHOOK_EVENT_ENTRY (the graph),
                   // NOPHOOK_TRACER_PROFILE, or NOPHOOK_EVENT_NONE
  uint64_t rings_offset;
  uint64_t states_offset;
  uint64_t subbufs_offset;
  uint64_t file_bytes;
  uint64_t start_tsc; // one instant, on the events' clock
  uint64_t start_ns;  // and on CLOCK_MONOTONIC
  char comm[16];
  char exe[1024]; // /proc/self/exe

  uint32_t stop;  // set by a reader: write no more; read by the writer when it leaves
                  // a sub-buffer. Cleared by the next one
  uint32_t error; // set by the writer: tracing ended early; `log` says why
  uint64_t lost;  // events of threads that got no ring; those of a ring are in the ring
  uint32_t log_bytes;
  char log[2048]; // lines for the person who traces, appended, never wrapped

  // Since version 3.
  uint32_t full;       // NOPHOOK_FULL_; changes only when the buffer is cleared
  uint32_t wait_ms;    // constant
  uint32_t paused;     // set and cleared by anyone: no events. A thread notices within 2^27 ticks
                       // of its own time, and at once that it is over
  uint32_t killed;     // the kill switch is tripped; `log` has the reason
  uint32_t unsteady;   // the CPU does not promise that its time-stamp counter runs evenly
  uint32_t clock_busy; // 0 -> 1 -> 0 by who stores the two below; they hold while it is 0
  uint64_t clock_tsc;  // the latest instant that was told on both clocks, or 0
  uint64_t clock_ns;   // CLOCK_MONOTONIC

  // Since version 4.
  uint32_t clock;    // NOPHOOK_CLOCK_; changes, with clock_base and the instant of the start, only
                     // when the buffer is cleared
  uint32_t snapshot; // this file is a copy, the so manieth of its process: nobody writes to it
  uint64_t cleared;  // events before this time are gone
  uint32_t clears;   // how often it was cleared
  uint32_t
      subbuf_used; // sub-buffers from this one on have never been begun; 0: subbuf_count. Grows
  uint32_t subbuf_most; // from this one on none is begun any more: buffer_size_kb; 0: subbuf_count
  uint32_t tracer_off;  // no tracer is on; `tracer` is the one that was
  uint64_t overwritten; // of rings that have been taken over from threads that are gone; `lost` has
                        // what these had lost
  uint64_t session;     // whose recorder wants this process's children as well, or 0; set by it
  uint64_t clock_base;  // was added to what the clock says: one that has taken another's place goes
                        // on from there, so that times only grow. start_tsc of the counter is that

  // Fork children of this process that could not make a buffer and are not recorded. A child has
  // its parent's header mapped and adds itself; `lost` has its events, as far as they are known.
  // The fields below the count are those of the child that was added last.
  uint32_t children_lost;
  int32_t child_lost_pid;
  int32_t child_lost_error; // errno
  char child_lost_why[100]; // a sentence

  uint64_t image; // differs after execve(): two buffers of one pid and one image are both written
                  // to, each by a copy of the runtime (dlmopen). 0: not known

  uint64_t start_ticks;   // of the process: field 22 of /proc/PID/stat; 0: unknown
  uint64_t pid_namespace; // in which `pid` and each `tid` are numbers: the inode of
                          // /proc/PID/ns/pid; 0: unknown
  uint32_t freed;         // grows after each sub-buffer that becomes FREE, whoever gives it back
  uint32_t ring_used;     // rings from this one on have never been taken; 0: ring_count. Grows
};

// A ring. `tid` 0: free. The writer takes one by CAS on `tid` and the reader gives it back, by CAS,
// when the thread is gone and its sub-buffers are read. Where there is no free one a writer takes
// over that of a thread that is gone and of which no sub-buffer is left, and adds its counts to the
// header's.
struct nophook_ring {
  int32_t tid;
  uint32_t subbufs;     // sub-buffers begun so far: the next `seq`
  uint64_t lost;        // events dropped because no sub-buffer was free
  uint64_t overwritten; // events of sub-buffers that were recycled
  uint32_t clears;      // since which clearing of the buffer these two count
  uint32_t consumed;    // readers': words of which sub-buffer have been read, NOPHOOK_CONSUMED_
};

// The first 64 bytes of a sub-buffer.
struct nophook_subbuf {
  uint64_t seq;       // counts the ring's sub-buffers from 0
  uint64_t time_base; // TSC ticks
  uint64_t sp_base;   // address
  uint64_t lost;      // the ring's lost events before this sub-buffer's first event
  int32_t tid;
  uint32_t ring; // index in the rings array
  uint32_t cpu;
  uint32_t used; // bytes behind the header that are reserved; set when it becomes FULL
  char comm[16]; // the thread's name when the sub-buffer was begun
};

// NAME.maps beside NAME.buf: which function an id is. Records are appended whole, by one
// write each, as modules get their ids; a record is `bytes` long:
//   struct nophook_map, path (path_bytes), uint32 offset[count]
// Function `first_id + i` has its site at `bias + offset[i]`; `offset` ascends.
// `offset` is the site's address in the file's own address space (its ELF virtual address).
//
// A record whose first_id is NOPHOOK_MAP_CODE has no functions, and for a path the lines of
// /proc/self/maps, as they were when the buffer was made, of files that are mapped as code: callers
// may be in modules without sites.
#define NOPHOOK_MAP_CODE 0xffffffffu
struct nophook_map {
  uint32_t bytes;
  uint32_t first_id;
  uint32_t count;
  uint32_t path_bytes; // a multiple of 4, padded by 0 bytes
  uint64_t bias;       // load address - ELF virtual address
  uint32_t build_id_bytes;
  uint8_t build_id[20];
};

static inline int nophook_is_seq(uint64_t seq) {
  return !(seq & NOPHOOK_SEQ_NONE);
}

// Of a `seq` that is none: the least that the ring has overwritten. Writers before version 5 do not
// tell.
static inline uint64_t nophook_least_overwritten(uint64_t seq) {
  return ~seq ? seq & ~NOPHOOK_SEQ_NONE : 0;
}

// What is counted, as recorded, lost or overwritten: events of functions, and marks.
static inline int nophook_is_function_event(uint64_t word) {
  uint64_t kind = word >> NOPHOOK_KIND_SHIFT;
  return kind >= NOPHOOK_EVENT_ENTRY && kind <= NOPHOOK_EVENT_FUNCTION;
}
static inline int nophook_is_mark(uint64_t word) {
  return word >> NOPHOOK_ID_SHIFT ==
         ((uint64_t)NOPHOOK_EVENT_CONTROL << NOPHOOK_ID_BITS | NOPHOOK_CONTROL_MARK);
}
static inline int nophook_is_counted(uint64_t word) {
  return nophook_is_function_event(word) | nophook_is_mark(word);
}

// What is in force at a place in a sub-buffer: at its begin, what its header says.
struct nophook_bases {
  uint64_t time, sp;
  uint32_t cpu;
};

// How many of `count` words are in front of the first event that is not before `ticks`. `bases` are
// those at the first word, and become those at the place found.
static inline uint64_t nophook_words_before(const uint64_t *words, uint64_t count, uint64_t ticks,
                                            struct nophook_bases *bases) {
  const uint64_t kControl = (uint64_t)NOPHOOK_EVENT_CONTROL << NOPHOOK_ID_BITS;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t word = words[i], what = word >> NOPHOOK_ID_SHIFT;
    if (nophook_is_counted(word)) {
      if (bases->time + (word & ((1ul << NOPHOOK_DT_BITS) - 1)) >= ticks)
        return i;
    } else if (what == (kControl | NOPHOOK_CONTROL_CPU)) {
      bases->cpu = (uint32_t)word;
    } else if (what == (kControl | NOPHOOK_CONTROL_TIME) && i + 1 < count) {
      bases->time = ~words[++i];
    } else if (what == (kControl | NOPHOOK_CONTROL_STACK) && i + 1 < count) {
      bases->sp = ~words[++i];
    }
  }
  return count;
}

#ifdef __cplusplus
static_assert(sizeof(nophook_buffer) <= 4096);
static_assert(sizeof(nophook_ring) == 32);
static_assert(sizeof(nophook_subbuf) == NOPHOOK_SUBBUF_HEADER_BYTES);
static_assert(sizeof(nophook_map) == 48);
static_assert(NOPHOOK_KIND_SHIFT + 3 == 64);
#endif

#endif // __ASSEMBLER__
#endif // NOPHOOK_BUFFER_H
