// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the runtime's C++ that the trampolines use, in C: enough to run each of their paths alone. Offsets are
// those of arch/fast_path.h and arch/callback_path.h.

#include "states.h"
#include <nophook/buffer.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum trampoline {
  kFunction, kGraph, kGraphCopy, kGraphEntry, kProfile, kProfileCopy, kProfileEntry, kHits,
  kOps, kOpsRegs, kExit, kExitEntry, kKlp, kTrampolines
};
static const char *const kNames[] = {
  "function", "graph", "graph_copy", "graph_entry", "profile", "profile_copy", "profile_entry", "hits",
  "ftrace", "ftrace_regs", "ftrace_exit", "ftrace_exit_entry", "klp"
};
static bool has_frame(int t) {
  return t == kGraph || t == kGraphCopy || t == kProfile || t == kProfileCopy || t == kExit;
}

struct writer { uint64_t pos, limit, time_base, sp_base; int64_t watch; uint32_t watched, ring; };
struct profile { uint64_t child, ids; uint64_t (*counts)[6]; };
struct regs {
  uint64_t x[31], sp, pc, pstate, direct;
  uint32_t id, has_all;
  char *exit_area, *exit_end;
  uint32_t exits, can_exit;
  uint64_t mark, nested;
};
struct call {
  void (*func)(uint64_t ip, uint64_t parent, void *ops, struct regs *regs);
  void *ops;
  uint64_t needs_registers;
  int64_t exit_bytes;
};
struct callback_thread { uint64_t active, rounds; };

struct state found, result;
const void *tail_target;

static uint64_t events[4096];
static struct writer writer, no_writer;
static uint64_t counts[kTrampolines][6] __attribute__((aligned(16))); // as in the file: the header has 64 bytes
static struct profile profile = {0, kTrampolines, counts}, no_profile;
static struct callback_thread thread_record;
static struct call *calls[kTrampolines];
static uint32_t copies[kTrampolines];
static uint64_t slow_events, slow_profiles, exit_calls, first_calls;
static struct { uint64_t kind, signature, frame, parent; } slow;

__thread struct writer *nophook_writer = &writer;
__thread struct profile *nophook_profile_of_thread = &profile;
__thread struct callback_thread *nophook_thread;
__thread uint32_t nophook_no_cpu = 7;
uint64_t nophook_profile_thresh;
uint32_t *nophook_copies = copies;
struct call **nophook_calls = calls;

uint64_t nophook_event_slow(uint32_t kind, uint64_t signature, uint64_t frame, uint64_t parent) {
  slow_events++;
  slow.kind = kind, slow.signature = signature, slow.frame = frame, slow.parent = parent;
  return clobber(kind == NOPHOOK_EVENT_EXIT ? 0 : signature | 5ul << NOPHOOK_SP_SHIFT);
}
struct profile *nophook_profile_slow(uint32_t id) {
  (void)id;
  slow_profiles++;
  return (struct profile *)clobber((uint64_t)&profile);
}
uint64_t nophook_exit_bytes(const struct regs *regs) {
  (void)regs;
  return clobber(48);
}
void nophook_exit_handlers(struct regs *regs) {
  exit_calls++;
  if (regs->exits != 1 || (uint64_t)regs != regs->mark)
    abort();
  clobber(0);
}
struct callback_thread *nophook_thread_first(uint64_t frame) {
  first_calls++;
  nophook_thread = &thread_record;
  thread_record.active = frame;
  return (struct callback_thread *)clobber((uint64_t)&thread_record);
}
void nophook_thread_nested(struct callback_thread *thread, uint64_t frame) {
  (void)frame;
  thread->rounds += 100;
  clobber(0);
}
static uint64_t klp_target;
uint64_t nophook_klp_target(uint32_t index, uint64_t sp) {
  (void)index;
  (void)sp;
  return clobber(klp_target);
}

static void begin_writer(void) {
  memset(events, 0, sizeof events);
  const int64_t watch = (char *)&nophook_no_cpu - (char *)__builtin_thread_pointer();
  writer = (struct writer){(uint64_t)events, (uint64_t)(events + 4000), 0, 0, watch, 7, 0};
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  writer.time_base = ticks;
  writer.sp_base = (((uint64_t)__builtin_frame_address(0)) & -16ul) + 4096;
  nophook_writer = &writer;
}
