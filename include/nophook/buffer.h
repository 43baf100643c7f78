// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: the shared memory that events are written to and read from.
//
// Written by:  the traced process (one buffer file for each process).
// Read by:     `nophook record` while it is written, and any reader that finds the file after a
// crash.
//
// Terms
//   buffer      one file of shared memory of one process: header, rings, states, sub-buffers
//   ring        the memory to which one thread writes; a chain of sub-buffers ordered by `seq`
//   sub-buffer  NOPHOOK_SUBBUF_BYTES: a 64-byte header, then 8-byte words
//   event       one word, which payload words may follow
//
// File
//   +--------------------+ 0
//   | nophook_buffer     | one page
//   +--------------------+ rings_offset
//   | nophook_ring  [ring_count]
//   +--------------------+ states_offset
//   | uint32 state  [subbuf_count]
//   +--------------------+ subbufs_offset (a multiple of NOPHOOK_SUBBUF_BYTES)
//   | sub-buffers   [subbuf_count]   sparse: memory is taken as sub-buffers are first used, in two
//   |                                parts (NOPHOOK_SUBBUF_FIRST_BYTES)
//   +--------------------+
//
// States of a sub-buffer, and the changes that are allowed
//   FREE   --writer (CAS)-->  ACTIVE  the owner writes it; all its words were 0
//   ACTIVE --owner-------->   FULL    `used` is set; the owner has left it for good
//   FULL   --reader------->   FREE    after the reader has zeroed the whole of it
//   ACTIVE --reader------->   FREE    only when the owner's thread or process is gone
//   FULL   --any writer (CAS)--> ACTIVE  only NOPHOOK_FULL_OVERWRITE: it is the oldest of all rings
//                                     and has no hole. The writer or reader that changes its `tid`
//                                     to 0 by a CAS gets it; a writer zeroes it and begins it again
//   ACTIVE --any writer-->    FULL    only NOPHOOK_FULL_OVERWRITE, if the owner's thread is gone.
//   The
//                                     writer changes `tid` to 0 by a CAS in the meantime
//
// With NOPHOOK_FULL_OVERWRITE the reader gives back no sub-buffer of a living thread. It copies a
// sub-buffer, and checks its state and `seq` again. `seq` has NOPHOOK_SEQ_NONE from before the
// first word is zeroed until the header is whole. So if the copy has a `seq` without that bit, and
// the sub-buffer still has it after the copy, all words are of one sub-buffer. In the meantime its
// state may become FULL, and nothing else.
//
// Writers do not count what they overwrite. An owner adds the events of a sub-buffer to its ring's
// `written` when it leaves it, and each sub-buffer begins with the sum so far
// (NOPHOOK_CONTROL_BEFORE). So a reader has the number of overwritten events of a ring: those that
// were written, less those that it finds. Only the owner changes its ring's counts.
//
// An event is complete when its first word is not 0: payload words are stored before it,
// and the owner's stores are seen in order (x86 TSO; release order elsewhere). There is no
// commit counter. A FULL sub-buffer with a 0 word below `used` holds an event whose writer
// was interrupted by a signal handler that filled the rest. The reader leaves it FULL and
// checks it again later, or, if the thread is gone, reads around the hole.
//
// Order: within a ring the words are in the order of their timestamps, signals included. A
// slot is reserved after the timestamp is read. If a handler has written in between, the
// slot becomes a PAD and the event is begun again.
//
// An event's word
//
//     63  61 60                 39 38          27 26                          0
//    +------+---------------------+--------------+-----------------------------+
//    | kind |          id         |      sp      |             dt              |
//    +------+---------------------+--------------+-----------------------------+
//       3            22                  12                    27
//
//   dt    ticks of the counter since the ring's time base, below 2^27
//   sp    (stack base - frame) / 16, below 2^12, where `frame` is the address of the slot
//         below the return address of the traced function. It makes the call tree exact: an
//         entry at `frame` ends every open call whose frame is at or below it (exceptions,
//         longjmp, tail calls), and a jump of the base shows that the stack has changed. An
//         EXIT repeats id and sp of its ENTRY, even if the base has moved since. Together they
//         identify the open call that it ends; every call above it ends, too.
//   id    the function: nophook_maps gives module and address
//   kind  enum nophook_event
//
//   A payload word is the complement of a value below 2^61, so its kind field is PAYLOAD:
//   a reader that has lost its place finds the next event.
//
// Values: an event of kind ENTRY to FUNCTION may have values behind its own payload. They are a
// text of bytes, seven in each payload word from the lowest on (0s fill the last). The first byte
// is the format; a reader skips formats that it does not know. NOPHOOK_VALUES_CALL has registers
// and memory of the call, on entry or, at an EXIT, on return. The prototype assigns them to
// arguments (nophook/prototype.h). Items follow, ending with one of 0:
//
//     7    5 4      0
//    +------+--------+
//    | what | number |   and then, by enum nophook_value
//    +------+--------+
//   GENERAL  register of DWARF number `number`: its value (SLEB128)
//   SSE      vector register `number` (xmm, ymm or zmm; v on AArch64): the number of its bytes
//            (ULEB128), these bytes
//   X87      st(number): its ten bytes
//   STACK    offset behind the return address (ULEB128), number of bytes (ULEB128), these bytes
//   MEMORY   address (SLEB128), number of bytes (ULEB128), these bytes
//
// A first byte of 0x80 or more is no format, but begins the first register of a call whose values
// are general registers alone. Each takes seven bytes, a payload word: NOPHOOK_VALUE_REGISTER and
// the DWARF number, then the low 48 bits, which are extended by their sign. Where that does not
// give the register's value, seven bytes are in front of them: NOPHOOK_VALUE_UPPER and the number,
// then the upper 16 bits.
//
// NOPHOOK_VALUES_TOOK: an EXIT whose call has no ENTRY, because only long calls are recorded: its
// duration in ticks (ULEB128), the number of recorded calls around it (ULEB128). Values of another
// format may follow. Its `sp` is relative to the base in force.
//
// NOPHOOK_VALUES_COUNTERS: an EXIT: the growth of counters of its thread since the ENTRY. For each
// counter that was requested and did count: NOPHOOK_COUNTER_ and growth (ULEB128); a 0 ends the
// list. Values of another format may follow.
//
// A MARK (a mark by the program, trace_marker.h) is a CONTROL event that has a dt as others do and
// values of one of these formats:
//   NOPHOOK_VALUES_TEXT  an address in the function that wrote it, or 0 (SLEB128), the number of
//                        bytes (ULEB128), these bytes
//   NOPHOOK_VALUES_RAW   the number of bytes (ULEB128), these bytes; the first four are a number
//   NOPHOOK_VALUES_STACK return addresses (SLEB128, the first one as it is, the others as the
//                        difference to the one before), innermost first, ending with 0. It belongs
//                        to the event before it
//   NOPHOOK_VALUES_PROBE  an event that was made by text: `p`, or `r` at a function's return; the
//                        length of its description (ULEB128), the description: `GROUP/EVENT`, and
//                        for each argument ` NAME:TYPE` or ` NAME:TYPE[COUNT]`, with the kernel's
//                        types; the length of its record (ULEB128), the record
//                        (nophook/kernel_events.h); how many arguments could not be read
//                        (ULEB128), the number of each, from 0 on (ULEB128)
//   NOPHOOK_VALUES_REPEATS  the call of the last event of FUNCTION that does not belong to another
//                        has been repeated: function (ULEB128), return address (SLEB128), how often
//                        (ULEB128), ticks between the last repetition and this event (ULEB128)
//
// An INHERITED has the calls that its thread has open where the stream begins: in a fork child
// those of the thread that forked, in a flight recorder (NOPHOOK_FULL_OVERWRITE) at the start of
// each sub-buffer, as the ones before it may be gone. It is the first event of its sub-buffer, is
// not counted, and has a dt; its `sp` is 1 if there are further calls around those that it has. Its
// payload:
//   the time from which they count, or 0: that of the event
//   an address; then for each call, innermost first: a word as of its ENTRY, with kind 0 and, in
//   the place of dt, the distance of its frame from the frame before (first: from that address) in
//   units of 16 bytes. Where the distance is 0, it is a tail call that has replaced the call before
//   it.
// A reader that has read the stream up to there knows these calls, and skips the event.
//
// An END says that all open calls of its thread are over: a CONTROL event that has a dt, and in its
// `sp` an NOPHOOK_END_. Only function_graph writes it, where the runtime notices the end; it is not
// counted as an event. Calls that the thread makes behind it are not inside any earlier call.
//
// A FIBER says that its thread goes on on another stack: a CONTROL event that has a dt, and values:
// the lowest address of a registered fiber's stack, and its bytes (ULEB128 both). 0 and 0: the
// stack that the thread began with. Only function_graph writes it, and it is not counted.
//
// Readers: several may read at once, but only one at a time gives sub-buffers back. While it does,
// it holds the file's flock(LOCK_EX), which the kernel releases if the reader is killed. A recorder
// holds it as long as it records, other readers for a moment. A FULL sub-buffer whose `used` is 0
// is empty: its reader was killed while it zeroed the rest.
//
// To clear a buffer, store the present time into `cleared` (it only grows) and then add 1 to
// `clears`. Readers ignore events before that time, and the counts of a ring whose `clears` is not
// the header's are 0. A sub-buffer may hold older and newer events; nophook_words_before() finds
// the boundary. After clearing, the same process gives back, if it can get the lock, FULL
// sub-buffers with older events only.
//
// A reader that sets `stop`, or is killed, ends a recording. The next reader begins again: it takes
// the lock, clears the buffer, and stores 0 into `stop`. Threads continue where they are, whichever
// tracer is on. A process whose tracer is set does the same if `stop` is 1. A reader that has set
// `stop` itself ignores a later `cleared`.
//
// Size: the file is made for more sub-buffers than may be begun, and `subbuf_most` moves while
// threads write. Sub-buffers beyond it are removed in three ways. The process removes those that
// their owners have left, and counts them as lost, unless there is a recorder. A thread leaves its
// own when it writes. A flight recorder's threads give them up as they write on, the oldest first.
// Whichever side gives back a sub-buffer beyond the limit also frees its memory.
//
// Numbers: `pid` and `tid` are valid only in the PID namespace of the process. A reader elsewhere
// finds the process by namespace, number and start time (NSpid in /proc/*/status), or not at all.
// A reader that cannot prove that a process or a thread has ended takes nothing from it. Older
// writers do not store the namespace (`header_bytes` ends before it): the reader assumes its own.
//
// No room: a thread that has found no sub-buffer does not look again until `freed` has grown, or
// it has lost some events: a reader may be killed before it has added to `freed`.
//
// Children: a recorder that follows children of a process stores its own number into `session`. The
// buffer that a fork child makes for its first event copies its parent's. A program that is
// executed with `serve` in NOPHOOK looks in the folder for follow/NAMESPACE-PID, with its own
// number and then with its ancestors'. Both are decimal, as in the header of the process. Where the
// namespace is not known, there is no such file. The file has a recorder's session in decimal, a
// space, and settings as in NOPHOOK, with which the program begins. The recorder holds the flock of
// that file as long as it records; a file that is not locked is ignored. When the recorder ends, it
// releases the file and then looks for buffers a last time. A program checks the lock again when
// its buffer is there, and stops if the lock is free.
//
// Time and stack bases change by CONTROL events in the stream; each sub-buffer's header
// repeats them, so that it can be read alone.

#ifndef NOPHOOK_BUFFER_H
#define NOPHOOK_BUFFER_H

#include <nophook/event_kinds.h>

#define NOPHOOK_BUFFER_MAGIC 0x46554248504f4e01 // "\1NOPHBUF", little endian
// Raised when an older reader would misread; 1 had no values behind events, 2 dropped the newest
// events whenever a ring was full, 3 had the time-stamp counter as its only clock, 4 had nothing
// but 1s in a `seq` that is none, and no NOPHOOK_MAP_CODE, 5 counted the overwritten events of a
// ring where `written` is now, and had no NOPHOOK_CONTROL_BEFORE or FIBER. New fields at the end of
// a header do not raise it: an older writer leaves zeroes there. A reader refuses a later version.
#define NOPHOOK_BUFFER_VERSION 6

#define NOPHOOK_SUBBUF_BYTES 65536 // a power of two
#define NOPHOOK_SUBBUF_HEADER_BYTES 64
// The memory that a sub-buffer takes when it is begun first, header included; the rest follows when
// an event needs it. Until then the rest is a hole of the file, which a reader finds by
// lseek(SEEK_HOLE). A read of a hole through a mapping would allocate memory, and there may be none
// left.
#define NOPHOOK_SUBBUF_FIRST_BYTES 4096

// The word's fields.
#define NOPHOOK_DT_BITS 27
#define NOPHOOK_SP_BITS 12
#define NOPHOOK_ID_BITS 22
#define NOPHOOK_SP_SHIFT NOPHOOK_DT_BITS
#define NOPHOOK_ID_SHIFT (NOPHOOK_DT_BITS + NOPHOOK_SP_BITS)
#define NOPHOOK_KIND_SHIFT (NOPHOOK_ID_SHIFT + NOPHOOK_ID_BITS)
#define NOPHOOK_SP_UNIT_SHIFT 4 // stack addresses are stored in units of 16 bytes

// Kinds. Plain macros: the assembly fast paths use them.
#define NOPHOOK_EVENT_NONE 0       // an empty slot
#define NOPHOOK_EVENT_ENTRY 1      // function_graph: a call begins; its EXIT will show the end
#define NOPHOOK_EVENT_EXIT 2       // function_graph: the body has returned
#define NOPHOOK_EVENT_TAIL 3       // function_graph: entered by a tail call, ends with its caller
#define NOPHOOK_EVENT_ENTRY_ONLY 4 // function_graph: a function that is not called through
#define NOPHOOK_EVENT_FUNCTION 5   // function: payload = return address into the caller; sp = 0
#define NOPHOOK_EVENT_CONTROL 6    // id = a row of event_kinds.h, bits 0-38 = its value
#define NOPHOOK_EVENT_PAYLOAD 7

// The reason why the open calls of a thread are over.
#define NOPHOOK_END_THREAD 0  // it ends: pthread_exit(), a cancellation
#define NOPHOOK_END_PROCESS 1 // it has called exit()

// How a tracer's events are shown.
#define NOPHOOK_FORM_UNKNOWN 0 // an older runtime's: the tracer's name implies it
#define NOPHOOK_FORM_CALLS 1   // one line for each event
#define NOPHOOK_FORM_GRAPH 2   // calls with their ends
#define NOPHOOK_FORM_COUNTS 3  // no events: counts and times by function
#define NOPHOOK_FORM_HITS 4    // no events: counts by function

// The function profiler, which writes no events: nophook/profile.h.
#define NOPHOOK_TRACER_PROFILE 8

// Values behind an event.
#define NOPHOOK_VALUES_CALL 1 // formats of values
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
#define NOPHOOK_COUNTER_CYCLES 6 // the CPU's cycles, in user space
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
// Names of the counters, as perf spells them, from 1 on; from CYCLES on they are also
// perf_event_attr.config, from 0 on.
#define NOPHOOK_COUNTER_NAMES                                                                      \
  "task-clock", "page-faults", "minor-faults", "major-faults", "context-switches", "cycles",       \
      "instructions", "cache-references", "cache-misses", "branches", "branch-misses",             \
      "bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"
#define NOPHOOK_VALUES_PER_WORD 7    // bytes of values in a payload word
#define NOPHOOK_VALUES_MAX_BYTES 448 // the most bytes of values of one call
// The most bytes of one object in memory; a larger one is left out.
#define NOPHOOK_VALUE_OBJECT_BYTES 256
#define NOPHOOK_VALUE_TEXT_BYTES 65 // the most bytes of a text; this many mean that there is more
#define NOPHOOK_VALUE_SHIFT 5
#define NOPHOOK_VALUE_END 0
#define NOPHOOK_VALUE_GENERAL 1
#define NOPHOOK_VALUE_SSE 2
#define NOPHOOK_VALUE_X87 3
#define NOPHOOK_VALUE_STACK 4
#define NOPHOOK_VALUE_MEMORY 5
#define NOPHOOK_VALUE_REGISTER 0x80
#define NOPHOOK_VALUE_UPPER 0xc0

// The treatment of events when no sub-buffer is free.
#define NOPHOOK_FULL_DROP 0      // the newest are dropped
#define NOPHOOK_FULL_OVERWRITE 1 // the oldest of all rings are overwritten
#define NOPHOOK_FULL_WAIT 2      // the thread waits for the reader, for wait_ms at most; then drop

// The clock of the events: `trace_clock`. Ticks are the CPU's counter's (x86-64: the time-stamp
// counter, AArch64: the virtual counter), nanoseconds of
// one of the kernel's clocks, or events.
#define NOPHOOK_CLOCK_TSC 0
#define NOPHOOK_CLOCK_MONO 1     // CLOCK_MONOTONIC
#define NOPHOOK_CLOCK_MONO_RAW 2 // CLOCK_MONOTONIC_RAW; `local`, too
#define NOPHOOK_CLOCK_BOOT 3     // CLOCK_BOOTTIME
#define NOPHOOK_CLOCK_COUNTER 4  // the number of the process's event, from 1

// `consumed` of a ring: the low bits of a sub-buffer's `seq`, and the number of its words that have
// been consumed. These words and all sub-buffers before it must not be read again. Only the reader
// that has the lock changes it.
#define NOPHOOK_CONSUMED_WORD_BITS 14

// A bit that no sub-buffer's number has: the sub-buffer is being recycled. In version 5, the other
// bits were what the ring's count of overwritten events would be.
#define NOPHOOK_SEQ_NONE 0x8000000000000000

// The CPU number when the kernel does not report it (no rseq).
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
  uint32_t tracer; // the tracer that is on: NOPHOOK_EVENT_FUNCTION, NOPHOOK_EVENT_ENTRY (the
                   // graph), NOPHOOK_TRACER_PROFILE, or NOPHOOK_EVENT_NONE
  uint64_t rings_offset;
  uint64_t states_offset;
  uint64_t subbufs_offset;
  uint64_t file_bytes;
  uint64_t start_tsc; // one instant, on the events' clock
  uint64_t start_ns;  // the same instant on CLOCK_MONOTONIC
  char comm[16];
  char exe[1024]; // path of the executable, from /proc/self/exe

  uint32_t stop;  // set by a reader: write no more; read by the writer when it leaves
                  // a sub-buffer. Cleared by the next reader
  uint32_t error; // set by the writer: tracing ended early; `log` has the reason
  uint64_t lost;  // events of threads that got no ring; a ring has its own count
  uint32_t log_bytes;
  char log[2048]; // lines for the user, appended, never wrapped

  // Since version 3.
  uint32_t full;     // NOPHOOK_FULL_; changes only when the buffer is cleared
  uint32_t wait_ms;  // the longest wait of NOPHOOK_FULL_WAIT, in milliseconds; constant
  uint32_t paused;   // set and cleared by anyone: no events. A thread notices the pause within 2^27
                     // ticks of its own time, and its end at once
  uint32_t killed;   // the kill switch is tripped; `log` has the reason
  uint32_t unsteady; // the CPU does not promise that its time-stamp counter runs evenly
  uint32_t clock_busy; // 0 -> 1 -> 0 by the writer of the two below; they are valid while it is 0
  uint64_t clock_tsc;  // the latest instant that was stored on both clocks, or 0
  uint64_t clock_ns;   // the same instant on CLOCK_MONOTONIC

  // Since version 4.
  uint32_t clock; // NOPHOOK_CLOCK_; changes, with clock_base and the instant of the start, only
                  // when the buffer is cleared
  uint32_t
      snapshot;     // not 0: this file is a copy that no writer changes, the process's Nth snapshot
  uint64_t cleared; // events before this time are gone
  uint32_t clears;  // the number of times that the buffer was cleared
  uint32_t
      subbuf_used; // sub-buffers from this one on have never been begun; 0: subbuf_count. Grows
  uint32_t
      subbuf_most; // sub-buffers from this one on are not begun: buffer_size_kb; 0: subbuf_count
  uint32_t tracer_off; // no tracer is on; `tracer` is the last one
  // Events that were overwritten in rings that were taken over from ended threads, when nothing of
  // them is left; `lost` has the events that these rings had lost.
  uint64_t overwritten;
  uint64_t session;    // set by a recorder that also follows this process's children, or 0
  uint64_t clock_base; // is added to the clock's value: a new clock continues from the old clock's
                       // time, so times only grow. For the counter it is start_tsc

  // Fork children of this process that could not make a buffer and are not recorded. A child has
  // its parent's header mapped and adds itself; `lost` has its events, as far as they are counted.
  // The fields below the count are those of the child that was added last.
  uint32_t children_lost;
  int32_t child_lost_pid;
  int32_t child_lost_error; // the errno of its failure
  char child_lost_why[100]; // the reason, a sentence

  // Number of the program's image, which differs after execve(): two buffers of one pid and one
  // image are both written to, each by a copy of the runtime (dlmopen). 0: not known.
  uint64_t image;

  uint64_t start_ticks;   // start time of the process: field 22 of /proc/PID/stat; 0: unknown
  uint64_t pid_namespace; // the namespace in which `pid` and each `tid` are numbers: the inode of
                          // /proc/PID/ns/pid; 0: unknown
  uint32_t freed;         // grows after each sub-buffer that becomes FREE, in any process
  uint32_t ring_used;     // rings from this one on have never been taken; 0: ring_count. Grows
  char tracer_name[16];   // name of `tracer`, as in available_tracers; empty: an older runtime's
  uint32_t tracer_form;   // NOPHOOK_FORM_
  uint32_t machine;       // the CPU, as in an ELF header (e_machine); 0: an older runtime's, x86-64
  uint64_t counter_hz;    // ticks per second, as the CPU reports them; 0: it does not
  uint64_t start_realtime_ns; // CLOCK_REALTIME about when start_ns was; 0: an older runtime's
  uint64_t clock_realtime_ns; // CLOCK_REALTIME at about clock_ns
};

// A ring. `tid` 0: free. The writer takes one by CAS on `tid`. The reader gives it back, by CAS,
// when the thread is gone and its sub-buffers are read. If there is no free ring, a writer takes
// over one whose thread is gone and that has no sub-buffers left, and adds its counts to the
// header's.
struct nophook_ring {
  int32_t tid;
  uint32_t subbufs;  // sub-buffers begun so far: the next `seq`
  uint64_t lost;     // events dropped because no sub-buffer was free
  uint64_t written;  // if the buffer overwrites: events of sub-buffers that the thread has left.
                     // Until version 5: events that were overwritten
  uint32_t clears;   // the clearing of the buffer since which these two count
  uint32_t consumed; // for readers: the words that have been read, NOPHOOK_CONSUMED_
};

// The first 64 bytes of a sub-buffer.
struct nophook_subbuf {
  uint64_t seq;       // counts the ring's sub-buffers from 0
  uint64_t time_base; // time base of its first event, in TSC ticks
  uint64_t sp_base;   // stack base of its first event, an address
  uint64_t lost;      // the ring's lost events before this sub-buffer's first event
  int32_t tid;
  uint32_t ring; // index in the rings array
  uint32_t cpu;
  uint32_t used; // bytes behind the header that are reserved; set when it becomes FULL
  char comm[16]; // the thread's name when the sub-buffer was begun
};

// NAME.maps beside NAME.buf: the functions of ids. Records are appended whole, by one
// write each, as modules get their ids; a record is `bytes` long:
//   struct nophook_map, path (path_bytes), uint32 offset[count]
// Function `first_id + i` has its site at `bias + offset[i]`; `offset` ascends.
// `offset` is the site's address in the file's own address space (its ELF virtual address).
//
// Call stubs (docs/design/calls.md) are in no file: behind their offsets stand `count` names, as
// linked, each ending in 0, and 0s up to a multiple of 4. The path is that of the library which
// they call.
//
// A record whose first_id is NOPHOOK_MAP_CODE has no functions. Its path holds the lines of
// /proc/self/maps for files that were mapped as code when the buffer was made: callers may be in
// modules without sites.
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

// The least number of events that the ring has overwritten, from a `seq` that is no number. Writers
// before version 5 do not store it.
static inline uint64_t nophook_least_overwritten(uint64_t seq) {
  return ~seq ? seq & ~NOPHOOK_SEQ_NONE : 0;
}

static inline int nophook_form_is_profile(uint32_t form) {
  return form == NOPHOOK_FORM_COUNTS || form == NOPHOOK_FORM_HITS;
}

// Events that are counted as recorded, lost or overwritten: events of functions, and marks.
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

// The first words of a sub-buffer that may be overwritten, and what they say: the events of its
// ring in front of it, since the clearing `clears`; 0 where they say nothing of it.
#define NOPHOOK_BEFORE_WORDS 2
static inline uint64_t nophook_before_word(uint32_t clears) {
  return ((uint64_t)NOPHOOK_EVENT_CONTROL << NOPHOOK_ID_BITS | NOPHOOK_CONTROL_BEFORE)
             << NOPHOOK_ID_SHIFT |
         clears;
}
static inline uint64_t nophook_events_before(const uint64_t *words, uint32_t clears) {
  return words[0] == nophook_before_word(clears) ? ~words[1] : 0;
}

// The bases in force at a place in a sub-buffer; at its start, those of its header.
struct nophook_bases {
  uint64_t time, sp;
  uint32_t cpu;
};

// The number of words, of `count`, in front of the first event that is not before `ticks`. `bases`
// are those at the first word, and become those at the place found.
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
