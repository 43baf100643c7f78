// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: the kinds of events beyond those of calls, which fill the three bits of an event word.
//
// X(NAME, number, role, name, fields). The number is in the id field of a CONTROL event
// (nophook/buffer.h). Everything behind the word is in payload words, so a reader passes over a
// number that it does not know, and says how many there were. The role:
//   STATE    of the stream alone: bases, room
//   STACKS   of the calls that are open
//   OFF      an interval off the CPU that ends here. It has a dt and fields as an INSTANT
//   INSTANT  a moment that is shown. It has a dt, and fields as values: `name:type`, separated by
//            spaces. Types: u ULEB128, s SLEB128, x ULEB128 that is shown in hexadecimal, t the
//            number of bytes (ULEB128) and these bytes, a text
//
// A row with the role INSTANT is all that readers need: printers, exports and the viewer show it
// by its name and fields.
//
// Written by: the runtime. Read by: the commands of nophook (tools/read/decode, tools/read/steps).

#ifndef NOPHOOK_EVENT_KINDS_H
#define NOPHOOK_EVENT_KINDS_H

#define NOPHOOK_PAD_NUMBER 4

// clang-format off
#define NOPHOOK_EVENT_KINDS(X)                                                                      \
  X(CPU, 1, STATE, "cpu", "")              /* value: the CPU from here on */                        \
  X(TIME, 2, STATE, "time", "")            /* payload: the time base from here on (ticks) */        \
  X(STACK, 3, STATE, "stack base", "")     /* payload: the stack base from here on */               \
  X(PAD, NOPHOOK_PAD_NUMBER, STATE, "pad", "") /* nothing: a slot that was reserved but not used */ \
  X(MARK, 5, INSTANT, "mark", "")          /* value: dt; values of a format of its own */           \
  X(END, 6, STACKS, "end", "")             /* value: dt, and the reason in the place of `sp` */     \
  X(INHERITED, 7, STACKS, "inherited", "") /* value: dt, and a flag in place of `sp`; open calls */ \
  /* The first word of a sub-buffer that may be overwritten. Value: the ring's `clears` (low 32    \
     bits); payload: the ring's `written`, both as they were when the sub-buffer was begun. */      \
  X(BEFORE, 9, STATE, "before", "")                                                                 \
  X(FIBER, 10, STACKS, "fiber", "")        /* value: dt; values behind it */                        \
  X(RENAME, 11, INSTANT, "task_rename", "newcomm:t") /* the thread's name from here on */           \
  /* The thread was off the CPU between the event before this one and here: for the part of `ticks`  \
     on the buffer's clock that it did not run. */                                                  \
  X(OFF_CPU, 12, OFF, "off_cpu", "ticks:u cpu_ns:u")                                                \
  X(OFF_CPU_ENDS, 13, INSTANT, "off_cpu_unknown", "reason:t") /* no OFF_CPU from here on */
// clang-format on

#ifdef __ASSEMBLER__
#define NOPHOOK_CONTROL_PAD NOPHOOK_PAD_NUMBER
#else

// clang-format off
enum nophook_control {
#define NOPHOOK_ROW(NAME, number, role, name, fields) NOPHOOK_CONTROL_##NAME = number,
  NOPHOOK_EVENT_KINDS(NOPHOOK_ROW)
#undef NOPHOOK_ROW
};
// clang-format on

#endif

#endif
