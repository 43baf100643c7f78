// A function that is entered after its probe has been silenced, before it is unregistered, and that
// returns when that is over, has no exit: nothing of the probe is called or read.
// RUN: %traced_cc -O1 %s -o %t %static && %t
#include "ops.h"
#include "poke.h"
#include <pthread.h>
#include <semaphore.h>

// The runtime's lock is given out in turn. While the batch of this thread has it, `leaving` waits
// to unregister the probe, and behind it `batch`: that one comes between its two halves.
static sem_t inside, wake;
static pthread_t leaving, batch, sleeping;
static int ids[2], exits, batches;
static struct Counted ops[2] = {COUNTED(0), COUNTED(0)};
UNTRACED static void on_exit_of(struct fprobe *probe, unsigned long ip, unsigned long ret, struct ftrace_regs *regs, void *data) {
  (void)probe, (void)ip, (void)ret, (void)regs, (void)data;
  exits++;
}
static struct fprobe probe = {.exit_handler = on_exit_of};
NOINLINE static void other(void) { KEEP(0); }
NOINLINE static void third(void) { KEEP(0); }
NOINLINE static void sleeper(void) {
  sem_post(&inside);
  while (sem_wait(&wake) != 0)
    ;
  KEEP(0);
}
UNTRACED static void *call(void *unused) {
  sleeper();
  return unused;
}
UNTRACED static void *leave(void *unused) {
  __atomic_store_n(&ids[0], gettid(), __ATOMIC_RELEASE);
  EXPECT_EQ(unregister_fprobe(&probe), 0);
  return unused;
}
UNTRACED static void *register_other(void *unused) {
  __atomic_store_n(&ids[1], gettid(), __ATOMIC_RELEASE);
  EXPECT_EQ(register_ftrace_function(&ops[1].ops), 0);
  return unused;
}
// Both sleep in the runtime's lock and nowhere else.
UNTRACED static void wait_until_it_sleeps(const int *id) {
  char path[64], state = 0;
  while (!__atomic_load_n(id, __ATOMIC_ACQUIRE))
    sched_yield();
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", *id);
  while (state != 'S') {
    FILE *file = fopen(path, "r");
    EXPECT_EQ(fscanf(file, "%*d (%*[^)]) %c", &state), 1);
    fclose(file);
  }
}
UNTRACED static void stop(int step) {
  if (step != kPokeOpened)
    return;
  if (batches++ == 0) {
    pthread_create(&leaving, NULL, leave, NULL);
    wait_until_it_sleeps(&ids[0]);
    pthread_create(&batch, NULL, register_other, NULL);
    wait_until_it_sleeps(&ids[1]);
  } else if (batches == 2) {
    pthread_create(&sleeping, NULL, call, NULL);
    while (sem_wait(&inside) != 0)
      ;
  }
}

UNTRACED int main(void) {
  sem_init(&inside, 0, 0), sem_init(&wake, 0, 0);
  EXPECT_EQ(set_filter(&ops[0].ops, "other", 1), 0);
  EXPECT_EQ(set_filter(&ops[1].ops, "third", 1), 0);
  EXPECT_EQ(register_fprobe(&probe, "sleeper", NULL), 0);
  nophook_poke_stop = stop;
  EXPECT_EQ(register_ftrace_function(&ops[0].ops), 0);
  pthread_join(leaving, NULL);
  pthread_join(batch, NULL);
  EXPECT_EQ(exits, 0);
  sem_post(&wake);
  pthread_join(sleeping, NULL);
  EXPECT_EQ(exits, 0);
  EXPECT(batches >= 2);
  other(), third();
  return failures;
}
