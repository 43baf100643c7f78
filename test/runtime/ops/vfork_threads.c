// Threads whose first call is a vfork child's give their records back when they end, a callback's and a tracer's: the process does not grow by them.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -- %t && %trace_linked -p function -k 1024 -- %t function
#include "text.h"
#include <ftrace.h>
#include <pthread.h>
#include <sys/wait.h>

NOINLINE static void work(void) { KEEP(0); }
static long calls;
UNTRACED static void count_it(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
  calls++;
}
static struct ftrace_ops ops = {.func = count_it};
UNTRACED static void *child_first(void *unused) {
  pid_t child = vfork();
  if (child == 0) {
    work();
    _exit(0);
  }
  EXPECT_EQ(waitpid(child, NULL, 0), child);
  work();
  return unused;
}
UNTRACED static void run(int threads) {
  for (int i = 0; i < threads; i++) {
    pthread_t thread;
    EXPECT_EQ(pthread_create(&thread, NULL, child_first, NULL), 0);
    pthread_join(thread, NULL);
  }
}
UNTRACED static long kib(void) {
  char line[256] = "";
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  EXPECT(file && fgets(line, sizeof line, file) && (pages = strtol(line, NULL, 10)) > 0);
  if (file)
    fclose(file);
  return pages * 4;
}

UNTRACED int main(int count, char **arguments) {
  enum { kSome = 100, kMany = 1000 };
  (void)arguments;
  if (count == 1)
    EXPECT_EQ(register_ftrace_function(&ops), 0);
  run(kSome);
  const long before = kib();
  run(kMany);
  EXPECT(kib() - before < 4096);
  EXPECT(count > 1 || calls >= 2 * (kSome + kMany));
  return failures;
}
