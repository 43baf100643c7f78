// A fiber that is resumed while the driver looks at its stack, and waits again in the same place, still inside the old
// version, is not changed over: each switch to it counts.
// RUN: %traced_cc -O1 %s -o %t %static && %t
#include "klp_fibers.h"
#include <pthread.h>

// runtime/livepatch/live_stack.h
extern void (*nophook_klp_looked_at)(int tid, uint64_t address);

// In the frame below the old version are three places in this order: where the stack pointer is while the fiber waits,
// and where the return address into the old version is for the second and for the first wait.
enum { kPlace = 8192, kSecond = 4096, kFirst = 16384, kBytes = 32768 };
char *place;
static struct Fiber own, fiber;
static int stage, go, result;
UNTRACED __attribute__((used, noinline)) void yield(void) { switch_fiber(&fiber, &own); }
#ifdef __aarch64__
__asm__(".pushsection .text\n.type wait_there, @function\n"
        "wait_there: stp x20, x30, [sp, #-16]!; mov x20, sp; adrp x9, place; ldr x9, [x9, #:lo12:place]; mov sp, x9\n"
        "bl yield; mov sp, x20; ldp x20, x30, [sp], #16; ret\n"
        ".size wait_there, . - wait_there\n.popsection\n");
#define WAIT_AT(offset)                                                                            \
  __asm__ volatile("mov x19, sp\n mov sp, %0\n bl wait_there\n str xzr, [sp, #-8]\n mov sp, x19"   \
                   :                                                                               \
                   : "r"(place + (offset))                                                         \
                   : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", \
                     "x15", "x16", "x17", "x19", "x30", "cc", "memory")
#else
__asm__(".pushsection .text\n.type wait_there, @function\n"
        "wait_there: mov %rsp, %r13; mov place(%rip), %rsp; call yield; mov %r13, %rsp; ret\n"
        ".size wait_there, . - wait_there\n.popsection\n");
#define WAIT_AT(offset)                                                                            \
  __asm__ volatile("mov %%rsp, %%r12; mov %0, %%rsp; call wait_there; movq $0, -8(%%rsp); mov %%r12, %%rsp" \
                   :                                                                               \
                   : "r"(place + (offset))                                                         \
                   : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "memory")
#endif
NOINLINE int half(void) { int n = 0; KEEP(&n); return n; }
NOINLINE int new_half(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int waits(void) { WAIT_AT(kFirst); WAIT_AT(kSecond); return 10 + half(); }
NOINLINE int new_waits(void) { int n = 20; KEEP(&n); return n + half(); }
PATCH(patch, FUNC(half, new_half), FUNC(waits, new_waits));

UNTRACED static void body(void) {
  char area[kBytes] __attribute__((aligned(16)));
  klp_fiber_finish_switch();
  memset(area, 0, sizeof area);
  place = area + kPlace;
  result = waits();
  KEEP(area);
  klp_fiber_start_switch(NULL);
  setcontext(&own.place);
}
UNTRACED static void *run(void *unused) {
  make_fiber(&fiber, body, &own);
  for (int i = 1; i <= 3; i++) {
    switch_fiber(&own, &fiber);
    set(&stage, i);
    while (__atomic_load_n(&go, __ATOMIC_ACQUIRE) < i)
      pause_briefly();
  }
  end_fiber(&fiber);
  return unused;
}
static int looks;
UNTRACED static void resume(int looked_at, uint64_t address) {
  const uint64_t from = (uint64_t)place + kSecond;
  if (looked_at > 0) // a thread
    return;
  looks++;
  if (stage != 1 || address < from || address >= (uint64_t)place + kFirst - 8)
    return;
  set(&go, 1);
  wait_until(&stage, 2);
}

UNTRACED int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  wait_until(&stage, 1);
  nophook_klp_looked_at = resume;
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  struct klp_fiber *pending; // on qemu only this looks at fibers: the driver waits for threads
  for (int seen = 0; seen < 50 && klp_patch_status(&patch) & KLP_TRANSITION; pause_briefly(), klp_pending_fibers(&pending, 1))
    seen += __atomic_load_n(&looks, __ATOMIC_RELAXED) > 0 && __atomic_load_n(&stage, __ATOMIC_ACQUIRE) == 2;
  EXPECT_EQ(stage, 2);
  EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED | KLP_TRANSITION);
  set(&go, 2);
  wait_until(&stage, 3);
  EXPECT_EQ(result, 10);
  wait_for_patch(&patch);
  set(&go, 3);
  pthread_join(thread, NULL);
  disable_and_wait(&patch);
  return failures;
}
