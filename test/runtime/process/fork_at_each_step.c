// A fork by another thread at any step of a batch: the child's text is whole, and it can change
// it. A fork that libc does not know of copies a batch half done: the child runs on in it.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_POKE=store %trace_linked -p '' -k 1024 -- %t
// RUN: env NOPHOOK_POKE=skip %trace_linked -p '' -k 1024 -- %t
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t
#include "text.h"
#include "poke.h"
#include <ftrace.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static sem_t begin, end;
static int at_step, is_raw, is_over, forker, is_forking, forks;

UNTRACED static void call_all(void) {
  long before = site_bodies;
  for (SiteFunction *const *site = sites_begin; site < sites_end; site++)
    (*site)();
  EXPECT_EQ(site_bodies - before, sites_end - sites_begin);
}
UNTRACED static int child(void) {
  nophook_poke_stop = NULL;
  alarm(300); // ends a child that hangs
  call_all();
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(text_differing(), 0);
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  call_all();
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures != 0;
}
UNTRACED static void wait_for(pid_t pid) {
  int status = -1;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  forks++;
}
UNTRACED static void *fork_when_told(void *unused) {
  __atomic_store_n(&forker, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
  while (sem_wait(&begin), !is_over) {
    __atomic_store_n(&is_forking, 1, __ATOMIC_RELEASE);
    pid_t pid = fork();
    if (pid == 0)
      _exit(child());
    wait_for(pid);
    sem_post(&end);
  }
  return unused;
}
// It waits in fork for the batch to end.
UNTRACED static int sleeps(int tid) {
  char path[64], state = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
  FILE *file = fopen(path, "r");
  EXPECT_EQ(fscanf(file, "%*d (%*[^)]) %c", &state), 1);
  fclose(file);
  return state == 'S';
}
UNTRACED static void stop(int step) {
  if (step != at_step)
    return;
  if (is_raw) {
    pid_t pid = (pid_t)syscall(SYS_fork);
    if (pid == 0) {
      alarm(300);
      call_all();
      _exit(failures != 0);
    }
    wait_for(pid);
  } else {
    __atomic_store_n(&is_forking, 0, __ATOMIC_RELEASE);
    sem_post(&begin);
    while (!__atomic_load_n(&is_forking, __ATOMIC_ACQUIRE) || !sleeps(forker))
      sched_yield();
  }
}

UNTRACED int main(void) {
  static const char *const kNext[] = {"function", "nop", "function_graph", "nop"};
  pthread_t thread;
  sem_init(&begin, 0, 0), sem_init(&end, 0, 0);
  pthread_create(&thread, NULL, fork_when_told, NULL);
  while (!__atomic_load_n(&forker, __ATOMIC_ACQUIRE))
    sched_yield();
  start_runners(1);
  int has_steps = strcmp(getenv("NOPHOOK_POKE"), "store") != 0;
  for (is_raw = 0; is_raw < 2; is_raw++)
    for (at_step = kPokeOpened; at_step <= kPokeClosed; at_step++)
      for (int i = 0; i < 4; i++) {
        int before = forks;
        nophook_poke_stop = stop;
        EXPECT_EQ(tracing_set_tracer(kNext[i]), 0);
        nophook_poke_stop = NULL;
        if (!is_raw)
          sem_wait(&end);
        EXPECT(forks > before || !has_steps);
      }
  stop_runners();
  is_over = 1;
  sem_post(&begin);
  pthread_join(thread, NULL);
  return failures != 0;
}
