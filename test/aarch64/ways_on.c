// The ways on from a trampoline that are not into the body, each with all registers: a tail call of
// a traced function by another one, another place, function_graph's thunk, a direct call, no callback.
//
// RUN: %with_trampolines %s -o %t && %aarch64-run %t
#include "Inputs/call_states.h"

extern const char nophook_just_return[], direct_target[];
__asm__(".text\n"
        "direct_target:\n" // by the kernel's rules
        "  mov x10, x30\n"
        "  mov x30, x9\n"
        "  ret x10\n");

static uint64_t goes_to, direct_to;
static int callbacks;
static void change(uint64_t ip, uint64_t parent, void *ops, struct regs *regs) {
  (void)ip, (void)parent, (void)ops; // registers.c compares these
  callbacks++;
  if (goes_to)
    regs->pc = goes_to;
  regs->direct = direct_to;
  regs->exits = wants_exit ? regs->can_exit : 0;
  clobber(0);
}

static void call(int trampoline, const char *thunks, const char *name) {
  what = name;
  begin_writer();
  prepare(trampoline, kFast);
  calls[trampoline]->func = change;
  randomize(&entry);
  randomize(&result);
  memset(&found, 0, sizeof found);
  callbacks = 0;
  exit_calls = 0;
  call_with(thunks + 32 * trampoline, &entry, &back);
  CHECK(!thread_record.active);
}

static void expect_events(const char *kinds) {
  const uint64_t count = (writer.pos - (uint64_t)events) / 8;
  CHECK(count == strlen(kinds));
  for (uint64_t i = 0; i < count; i++)
    CHECK(events[i] >> NOPHOOK_KIND_SHIFT == (uint64_t)(kinds[i] - '0'));
  CHECK(count < 2 || (events[0] ^ events[count - 1]) << 3 >> 3 < 1ul << NOPHOOK_DT_BITS);
}

static void expect_body(void) {
  check_same("x at the entry", found.x, entry.x, 0, 8);
  check_same("x at the entry", found.x, entry.x, 11, 28);
  check_same("v at the entry", found.v, entry.v, 0, 63);
  check_same("x at the exit", back.x, result.x, 0, 15);
  check_same("x at the exit", back.x, entry.x, 19, 28);
}

int main(void) {
  tail_target = body_thunks + 32 * kGraph;
  call(kGraph, tail_thunks, "tail call");
  expect_events("132"); // ENTRY, TAIL, EXIT
  CHECK(found.sp == back.sp - 32);
  check_same("x at the exit", back.x, result.x, 0, 15);

  tail_target = body_thunks + 32 * kGraphCopy;
  call(kGraph, tail_thunks, "tail call with arguments on the stack");
  expect_events("132");

  static const int kCallers[] = {kOps, kOpsRegs, kExit, kExitEntry};
  for (int i = 0; i < 4; i++) {
    const int trampoline = kCallers[i];
    goes_to = (uint64_t)nophook_just_return;
    call(trampoline, body_thunks, "another place");
    CHECK(callbacks == 1 && !found.sp);
    if (trampoline != kExit) // the exit's handlers may change registers
      check_same("x", back.x, entry.x, 0, 28);
    CHECK(exit_calls == (trampoline == kExit));

    goes_to = (uint64_t)(body_thunks + 32 * kGraph);
    call(trampoline, body_thunks, "function_graph");
    CHECK(callbacks == 1 && exit_calls == (trampoline == kExit));
    expect_events("12");
    expect_body();

    goes_to = 0;
    if (trampoline != kExit) { // a function with an exit is called through
      direct_to = (uint64_t)direct_target;
      call(trampoline, body_thunks, "direct call");
      CHECK(callbacks == 1);
      CHECK(found.x[30] == back.x[30] && found.sp == back.sp);
      expect_body();
      direct_to = 0;
    }

    what = "no callback";
    prepare(trampoline, kFast);
    calls[trampoline] = NULL;
    randomize(&entry);
    call_with(body_thunks + 32 * trampoline, &entry, &back);
    expect_body();
    CHECK(found.sp == back.sp && found.x[30] == back.x[30]);
  }
  return 0;
}
