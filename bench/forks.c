// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of a fork child that makes one call: CPU time of the child and of its parent's fork and
// wait, in microseconds a fork. The runtime is preloaded, or not.
//
//      forks NAME FORKS

#include "support.h"

#include <sys/resource.h>
#include <sys/wait.h>

NOINLINE static void work(void) {
  __asm__ volatile("" : : : "memory");
}

UNTRACED static double cpu_us(int who) {
  struct rusage usage;
  getrusage(who, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}
UNTRACED static double all_cpu_us(void) {
  return cpu_us(RUSAGE_SELF) + cpu_us(RUSAGE_CHILDREN);
}

UNTRACED int main(int argc, char **argv) {
  int forks = argc == 3 ? atoi(argv[2]) : 0;
  if (forks < 1)
    give_up("usage: forks NAME FORKS");
  work();
  double before = all_cpu_us();
  for (int i = 0; i < forks; i++) {
    pid_t pid = fork();
    if (pid == 0) {
      work();
      _exit(0);
    }
    if (waitpid(pid, NULL, 0) != pid)
      give_up("no child");
  }
  struct samples samples = {.name = argv[1]};
  add_sample(&samples, (all_cpu_us() - before) / forks);
  print_samples(&samples);
  return 0;
}
