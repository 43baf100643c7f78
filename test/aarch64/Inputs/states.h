// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All registers, at the places that a trampoline must not change them between. Included by assembly,
// too.

#define STATE_X 0
#define STATE_SP 248
#define STATE_ARGUMENTS 256
#define STATE_V 304
#define STATE_ARGUMENT_WORDS 6
#define STATE_BYTES 816

#ifndef __ASSEMBLER__
#include <stdint.h>

struct state {
  uint64_t x[31];
  uint64_t sp;
  uint64_t arguments[STATE_ARGUMENT_WORDS]; // on the stack
  uint64_t v[64];                           // q0 to q31
};
_Static_assert(sizeof(struct state) == STATE_BYTES, "as in assembly");

// Calls `function` with `entry`, and fills `back` with what it has returned with.
void call_with(const void *function, const struct state *entry, struct state *back);

// The traced function: fills `found` with what it has been entered with, and returns with `result`.
extern struct state found, result;
void body(void);
// The same, but it goes on to `tail_target` by a tail call.
extern const void *tail_target;
void tail_body(void);

// Changes all registers that a function may change, but for vector registers. Returns `value`.
uint64_t clobber(uint64_t value);

// Where the function called by call_with() returns to.
extern const char call_has_returned[];
// Around the trampolines.
extern const char trampolines_begin[], trampolines_end[];

extern const char body_thunks[], tail_thunks[]; // in the order of enum trampoline
#endif
