// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call through each trampoline, with all registers at random, and what must be true of it.

#include "runtime_parts.h"

static const char *what = "";
#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, what, #condition);                             \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static struct state entry, back;

static void randomize(struct state *state) {
  uint64_t *words = (uint64_t *)state;
  for (unsigned i = 0; i < sizeof *state / 8; i++)
    words[i] = (uint64_t)random() << 33 ^ (uint64_t)random() << 11 ^ (uint64_t)random();
}

static void check_same(const char *where, const uint64_t *is, const uint64_t *was, int first,
                       int last) {
  for (int i = first; i <= last; i++)
    if (is[i] != was[i] && i != 16 && i != 17) {
      printf("%s: %s: %d is %#lx, was %#lx\n", what, where, i, is[i], was[i]);
      exit(1);
    }
}

// Ways of callbacks alone are kNested (their thread is in another one already) and kSums (several
// want the exit).
enum way { kFast, kSlow, kNested, kSums, kWays };
static inline bool calls_back(int trampoline) {
  return trampoline >= kOps && trampoline < kKlp;
}

static int wants_exit;
static void callback(uint64_t ip, uint64_t parent, void *ops, struct regs *regs) {
  CHECK(regs->pc == (uint64_t)body && ip == regs->pc - 4 && ops == &wants_exit);
  CHECK(regs->mark == (uint64_t)regs && (uint64_t)regs % 16 == 0);
  CHECK(parent == regs->x[30] && *(uint64_t *)(regs->sp - 8) == parent);
  CHECK(*(uint64_t *)(regs->sp - 24) == regs->pc);
  CHECK(*(uint64_t *)(regs->sp - 16) == regs->x[29]);
  CHECK(regs->direct == 0 && thread_record.active);
  check_same("callback", regs->x, entry.x, 0, 15);
  check_same("callback", regs->x, entry.x, 18, regs->has_all ? 28 : 18);
  if (wants_exit) {
    CHECK(regs->exit_area && regs->exit_end == (char *)regs);
    CHECK(regs->exit_end - regs->exit_area == 48);
    for (int i = 0; i < 48; i++) // memset() may use vector registers
      *(volatile char *)(regs->exit_area + i) = 0x55;
    regs->exits = regs->can_exit;
  }
  clobber(0);
}

static void prepare(int trampoline, enum way way) {
  static struct call call;
  call = (struct call){callback, &wants_exit, 0, way == kSums ? -1 : 48};
  calls[trampoline] = &call;
  copies[trampoline] = trampoline == kGraphCopy || trampoline == kProfileCopy ||
                               (trampoline == kExit && way != kFast)
                           ? 8 * (STATE_ARGUMENT_WORDS - 1)
                           : 0;
  wants_exit = trampoline == kExit || trampoline == kExitEntry;
  thread_record.active = way == kNested ? 64 : 0;
  nophook_thread = way == kSlow ? NULL : &thread_record;
  nophook_writer = way == kSlow ? &no_writer : &writer;
  nophook_profile_of_thread = way == kSlow ? &no_profile : &profile;
  klp_target = (uint64_t)body;
  writer.sp_base = (((uint64_t)__builtin_frame_address(0)) & -16ul) + 4096;
}

static inline void check_call(int trampoline, enum way way) {
  prepare(trampoline, way);
  randomize(&entry);
  randomize(&result);
  memset(&found, 0, sizeof found);
  call_with(body_thunks + 32 * trampoline, &entry, &back);
  check_same("x at the entry", found.x, entry.x, 0, 28);
  check_same("v at the entry", found.v, entry.v, 0, 63);
  CHECK(found.sp % 16 == 0);
  if (!has_frame(trampoline)) {
    CHECK(found.sp == back.sp && found.x[29] == back.x[29]);
    CHECK(found.x[30] == back.x[30]);
  } else {
    uint64_t *record = (uint64_t *)found.x[29];
    CHECK(record[0] == back.x[29] && record[1] == back.x[30]);
    CHECK((uint64_t)(record + 2) == back.sp);
  }
  if (!has_frame(trampoline) || copies[trampoline]) {
    CHECK(found.sp % 64 == back.sp % 64);
    for (int i = 0; i < STATE_ARGUMENT_WORDS; i++)
      CHECK(found.arguments[i] == entry.arguments[i]);
  }
  check_same("x at the exit", back.x, result.x, 0, 15);
  check_same("x at the exit", back.x, result.x, 18, 18);
  check_same("x at the exit", back.x, entry.x, 19, 28);
  check_same("v at the exit", back.v, result.v, 0, 15);
  check_same("v at the exit", back.v, result.v, 32, 63);
  CHECK(thread_record.active == (way == kNested ? 64 : 0));
}
