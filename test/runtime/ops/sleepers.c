// main and 100 threads sleep in traced functions while ops, probes and tracers come and go 30,000
// times (by int3, 1,000; `./do test --all`: a million times): unregistering waits for none of them, no
// memory is used up, and those whose exits were wanted when they began return without a word.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: env NOPHOOK_POKE=store %trace_linked -p '' -k 1024 -- %t %sleeper_rounds
// RUN: env NOPHOOK_POKE=skip %trace_linked -p '' -k 1024 -- %t 5000
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t 1000
#include "ops.h"
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

enum { kSleepers = 100 };
static sem_t asleep, wake;
static int over, round_count;
static long longest_ns, over_10_ms, of_them_ready;
static int schedstat; // /proc/.../schedstat of the thread that waits
static struct Counted ops[3] = {COUNTED(0), COUNTED(FTRACE_OPS_FL_SAVE_REGS), COUNTED(FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_RECURSION_SAFE)};
static int returned[3];
UNTRACED static void leave(struct fprobe *probe, unsigned long ip, unsigned long ret, struct ftrace_regs *regs, void *data) {
  (void)ip, (void)ret, (void)regs, (void)data;
  __atomic_fetch_add((int *)probe->ops.private, 1, __ATOMIC_RELAXED);
}
NOINLINE static void busy(void) { KEEP(0); }
NOINLINE static void sleeper(void) {
  sem_post(&asleep);
  while (sem_wait(&wake) != 0)
    ;
  KEEP(0);
}
UNTRACED static void *in_thread(void *unused) {
  sleeper();
  return unused;
}
UNTRACED static void *call(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
    busy(), usleep(10);
  return unused;
}
UNTRACED static long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000 + now.tv_nsec;
}
// How long the thread has been ready to run and others had the cores.
UNTRACED static long ready_ns(void) {
  char text[64] = "";
  long running = 0, ready = 0;
  if (schedstat < 0)
    return 0; // a kernel without CONFIG_SCHED_INFO
  EXPECT(pread(schedstat, text, sizeof text - 1, 0) > 0);
  EXPECT_EQ(sscanf(text, "%ld %ld", &running, &ready), 2);
  return ready;
}
UNTRACED static void one_round(int i) {
  static struct fprobe probe = {.exit_handler = leave, .ops = {.private = &returned[0]}};
  struct ftrace_ops *mine = &ops[i % 3].ops;
  const char *tracer = i % 2 ? "function" : "function_graph";
  EXPECT_EQ(register_ftrace_function(mine), 0);
  EXPECT_EQ(register_fprobe(&probe, i % 4 ? "busy" : NULL, NULL), 0);
  EXPECT_EQ(i % 100 ? 0 : tracing_set_tracer(tracer), 0);
  busy();
  EXPECT_EQ(i % 100 ? 0 : tracing_set_tracer("nop"), 0);
  long ready_before = ready_ns(), before = now_ns();
  EXPECT_EQ(unregister_fprobe(&probe), 0);
  EXPECT_EQ(unregister_ftrace_function(mine), 0);
  long waited = now_ns() - before;
  longest_ns = waited > longest_ns ? waited : longest_ns;
  over_10_ms += waited > 10000000;
  of_them_ready += waited > 10000000 && waited - (ready_ns() - ready_before) <= 10000000;
}
UNTRACED static void *rounds(void *unused) {
  long at_tenth = 0;
  schedstat = open("/proc/thread-self/schedstat", O_RDONLY);
  for (int i = 0; i < kSleepers + 1; i++)
    while (sem_wait(&asleep) != 0)
      ;
  for (int i = 0; i < round_count && !failures; i++) {
    one_round(i);
    if (i == round_count / 10)
      at_tenth = anonymous_kib();
  }
  printf("%ld KiB after a tenth, %ld at the end\n", at_tenth, anonymous_kib());
  EXPECT(anonymous_kib() <= at_tenth + 64);
  __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < kSleepers + 1; i++)
    sem_post(&wake);
  return unused;
}

UNTRACED int main(int count, char **arguments) {
  EXPECT_EQ(count, 2);
  round_count = atoi(arguments[1]);
  pthread_t threads[kSleepers + 2];
  sem_init(&asleep, 0, 0), sem_init(&wake, 0, 0);
  static struct fprobe early = {.exit_handler = leave, .ops = {.private = &returned[1]}};
  EXPECT_EQ(register_fprobe(&early, "sleeper", NULL), 0);
  EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
  EXPECT_EQ(register_ftrace_function(&ops[0].ops), 0); // the sleepers have come by callbacks
  for (int i = 0; i < kSleepers; i++)
    pthread_create(&threads[i], NULL, in_thread, NULL);
  pthread_create(&threads[kSleepers], NULL, call, NULL);
  while (__atomic_load_n(&ops[0].calls, __ATOMIC_RELAXED) < kSleepers + 2)
    sched_yield();
  EXPECT_EQ(unregister_ftrace_function(&ops[0].ops), 0);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(unregister_fprobe(&early), 0);
  pthread_create(&threads[kSleepers + 1], NULL, rounds, NULL);
  sleeper();
  for (int i = 0; i < kSleepers + 2; i++)
    pthread_join(threads[i], NULL);
  printf("longest wait %ld us, %ld over 10 ms, %ld of them for a core\n", longest_ns / 1000, over_10_ms, of_them_ready);
  EXPECT_EQ(returned[1], 0);
  EXPECT_EQ(text_differing(), 0);
  return failures != 0;
}
