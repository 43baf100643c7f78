// The memory of a dead thread is taken by one thread: by its heir, or by a new thread that the kernel has given the same number, at whatever instruction of the heir's that one is born.
// REQUIRES: chosen-tids
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: unshare -pf --mount-proc %t
#include "ops.h"
#include "step.h"
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>

// base/own_identity.h
extern _Bool take_from_gone(int *owner, int gone, int mine) __asm__("_ZN7nophook14take_from_goneEPiii");

static int number, owner, over;
static long wanted, births, heirs, reborns;
static int is_born;
static _Bool has_taken;
static pthread_t reborn;

UNTRACED static void *tell_number(void *unused) {
  number = (int)syscall(SYS_gettid);
  return unused;
}
UNTRACED static void *take_own(void *unused) {
  int expected = number;
  if (syscall(SYS_gettid) != number) { // the kernel frees numbers late
    __atomic_store_n(&is_born, -1, __ATOMIC_RELEASE);
    return unused;
  }
  has_taken = __atomic_compare_exchange_n(&owner, &expected, number, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  __atomic_store_n(&is_born, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
    sched_yield();
  return unused;
}
UNTRACED static void visit(ucontext_t *context, long step) {
  (void)context;
  if (step != wanted)
    return;
  char text[16];
  do {
    is_born = 0;
    int file = open("/proc/sys/kernel/ns_last_pid", O_WRONLY), length = sprintf(text, "%d", number - 1);
    EXPECT(file >= 0 && write(file, text, (size_t)length) == length);
    close(file);
    EXPECT_EQ(pthread_create(&reborn, NULL, take_own, NULL), 0);
    while (!__atomic_load_n(&is_born, __ATOMIC_ACQUIRE))
      sched_yield();
  } while (is_born < 0 && pthread_join(reborn, NULL) == 0);
}
UNTRACED static void await_end(pthread_t thread) {
  pthread_join(thread, NULL);
  while (syscall(SYS_tgkill, getpid(), number, 0) == 0)
    sched_yield();
}

UNTRACED int main(void) {
  pthread_t first;
  pthread_create(&first, NULL, tell_number, NULL);
  await_end(first);
  step_with(visit);
  for (wanted = 0; wanted < 2000; wanted++, births++) {
    owner = number;
    is_born = has_taken = over = 0;
    step_count = 0;
    STEP_BEGIN();
    const _Bool is_heirs = take_from_gone(&owner, number, getpid());
    STEP_END();
    EXPECT(!(is_heirs && has_taken));
    EXPECT_EQ(owner, is_heirs ? getpid() : number);
    if (!is_born)
      break; // it has fewer instructions than this
    heirs += is_heirs;
    reborns += has_taken;
    __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
    await_end(reborn);
  }
  EXPECT(births > 20 && births < 2000 && heirs && reborns);
  return failures;
}
