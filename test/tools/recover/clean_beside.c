// recover --clean leaves a recorder that runs the buffers of processes that have ended before it has read them.
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %exits 5 %nophook record -l work -o %t.data -- %t %nophook 2>&1 | FileCheck %s
// CHECK: nophook: 0 buffers of ended processes removed
// CHECK: nophook: 400 events of 1 function in 2 threads, 0 events lost
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) static void work(int n) { __asm__ volatile("" : "+r"(n)); }
static void calls(void) {
  for (int i = 0; i < 100; i++)
    work(i);
}
static char state_of(pid_t pid) {
  char path[64], state = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  FILE *file = fopen(path, "r");
  if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
    exit(1);
  fclose(file);
  return state;
}
int main(int count, char **arguments) {
  char command[4096];
  pid_t recorder = getppid();
  if (count < 2)
    return 1;
  kill(recorder, SIGSTOP);
  while (state_of(recorder) != 'T')
    usleep(1000);
  if (fork() == 0) {
    calls();
    _exit(0);
  }
  wait(NULL);
  snprintf(command, sizeof command, "unset LD_PRELOAD NOPHOOK; %s recover --clean $XDG_RUNTIME_DIR/nophook/record-*", arguments[1]);
  int status = system(command);
  kill(recorder, SIGCONT);
  calls();
  return status ? 1 : 5;
}
