// A thread that is woken while the driver looks at its stack, and sleeps again in the same place, still inside
// the old version, is not changed over: its CPU time has moved.
// RUN: %traced_cc -O1 %s -o %t %static && %t
#include "klp.h"
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

// runtime/livepatch/live_stack.h
extern void (*nophook_klp_looked_at)(int tid, uint64_t address);

// Below the frames of the old version there are three places in this order: where the thread's stack
// pointer is while it sleeps, and where the return address into the old version is for the second and
// for the first sleep.
enum { kSecond = 4096, kFirst = 16384, kBytes = 20480 };
char *place, byte; // of nap(), too
int ends[2];
static int tid, stage;
// read(ends[0], &byte, 1) with that stack pointer, and zeros in the registers that the kernel shows.
__asm__(".pushsection .text\n.type nap, @function\n"
        "nap: mov %rsp, %r13; mov place(%rip), %rsp; xor %eax, %eax; mov ends(%rip), %edi; lea byte(%rip), %rsi\n"
        "mov $1, %edx; xor %r10d, %r10d; xor %r8d, %r8d; xor %r9d, %r9d; syscall; mov %r13, %rsp; ret\n"
        ".size nap, . - nap\n.popsection\n");
#define NAP_AT(offset)                                                                             \
  __asm__ volatile("mov %%rsp, %%r12; mov %0, %%rsp; call nap; movq $0, -8(%%rsp); mov %%r12, %%rsp" \
                   :                                                                               \
                   : "r"(place + (offset))                                                         \
                   : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "memory")
NOINLINE int half(void) { int n = 0; KEEP(&n); return n; }
NOINLINE int new_half(void) { int n = 1; KEEP(&n); return n; }
NOINLINE int sleeps(void) { set(&stage, 1); NAP_AT(kFirst); set(&stage, 2); NAP_AT(kSecond); return 10 + half(); }
NOINLINE int new_sleeps(void) { int n = 20; KEEP(&n); return n + half(); }
PATCH(patch, FUNC(half, new_half), FUNC(sleeps, new_sleeps));

UNTRACED __attribute__((noinline)) static int call_sleeps(void) {
  char area[kBytes] __attribute__((aligned(16)));
  memset(area, 0, sizeof area);
  place = area;
  int result = sleeps();
  KEEP(area);
  return result;
}
UNTRACED static void *run(void *result) {
  __atomic_store_n(&tid, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
  *(int *)result = call_sleeps();
  return NULL;
}
UNTRACED static void wait_for_sleep(void) {
  char path[64], text[16] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", tid);
  while (strncmp(text, "0 ", 2) != 0) {
    FILE *file = fopen(path, "r");
    if (!file || !fgets(text, sizeof text, file))
      *text = 0;
    if (file)
      fclose(file);
  }
}
static int looks;
UNTRACED static void wake(int looked_at, uint64_t address) {
  if (looked_at != __atomic_load_n(&tid, __ATOMIC_ACQUIRE))
    return;
  looks++;
  const uint64_t from = (uint64_t)place + kSecond;
  if (stage != 1 || address < from || address >= (uint64_t)place + kFirst - 8)
    return;
  EXPECT(write(ends[1], "", 1) == 1);
  wait_until(&stage, 2);
  wait_for_sleep();
}

UNTRACED int main(void) {
  int result = 0;
  pthread_t thread;
  EXPECT_EQ(pipe(ends), 0);
  pthread_create(&thread, NULL, run, &result);
  wait_until(&stage, 1);
  wait_for_sleep();
  nophook_klp_looked_at = wake;
  EXPECT_EQ(klp_enable_patch(&patch), 0);
  for (int seen = 0; seen < 2; pause_briefly()) { // a whole look, and another one
    seen = __atomic_load_n(&looks, __ATOMIC_RELAXED) > 0 && __atomic_load_n(&stage, __ATOMIC_ACQUIRE) == 2 ? seen + 1 : 0;
    if (!(klp_patch_status(&patch) & KLP_TRANSITION))
      break;
  }
  EXPECT_EQ(klp_patch_status(&patch), KLP_ENABLED | KLP_TRANSITION);
  EXPECT_EQ(stage, 2);
  EXPECT(write(ends[1], "", 1) == 1);
  pthread_join(thread, NULL);
  EXPECT_EQ(result, 10);
  wait_for_patch(&patch);
  disable_and_wait(&patch);
  return failures;
}
