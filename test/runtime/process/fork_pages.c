// A fork child's first call touches few pages that it has not touched before, because each costs 1 us: 14 page faults at most, 4 of them in the buffer file. Addresses are not random here: the places of functions in the library decide how many windows of 64 KiB are read, which makes 10 to 13 of otherwise equal builds.
// RUN: %traced_cc -O1 %s -o %t
// RUN: setarch -R %trace -p function -k 65536 -- %t
// RUN: setarch -R %trace -p function_graph -k 65536 -- %t
#include "program.h"
#include <sys/resource.h>
#include <sys/wait.h>

NOINLINE void work(void) {
  __asm__ volatile("" : : : "memory");
}
UNTRACED static long page_faults(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}
UNTRACED static int faults_of_child(void) {
  pid_t child = fork();
  if (child == 0) {
    long before = page_faults();
    work();
    _exit((int)(page_faults() - before));
  }
  int status = -1;
  EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status);
}
UNTRACED int main(void) {
  work();
  int least = 255;
  for (int i = 0; i < 10; i++) { // the kernel may have taken a page of code away
    int faults = faults_of_child();
    least = faults < least ? faults : least;
  }
  EXPECT(least > 0 && least <= 14);
  return failures != 0;
}
