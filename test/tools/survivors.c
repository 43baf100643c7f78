// A process that outlives the program is recorded up to the program's end, and lives on.
// RUN: %traced_cc %s -o %t && rm -f %t.alive
// RUN: %exits 4 %nophook record -o %t.data -- %t %t.alive 2>&1 | FileCheck %s
// RUN: %nophook report --top %t.data | FileCheck %s --check-prefix=TOP
// RUN: bash -c 'for i in $(seq 1200); do test -s %t.alive && exit 0; sleep 0.1; done; exit 1'
// CHECK: nophook: {{.*}}survivors.c.tmp has ended, 1 process is still running: recorded up to here
// CHECK: nophook: 1002 events of 2 functions in 2 threads, 0 events lost
// TOP: 500 work
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) static void work(int n) { asm volatile("" : "+r"(n)); }
static void rest_of_life(const char *path, pid_t recorder) {
  for (int i = 0; i < 12000 && kill(recorder, 0) == 0; i++)
    usleep(10000);
  for (int i = 0; i < 100000; i++)
    work(i);
  FILE *file = fopen(path, "w");
  fputs("alive\n", file);
  _exit(fclose(file));
}
int main(int count, char **arguments) {
  int ready[2];
  pid_t recorder = getppid();
  if (count < 2 || pipe(ready))
    return 1;
  if (fork() == 0) {
    for (int i = 0; i < 500; i++)
      work(i);
    write(ready[1], "", 1);
    setsid();
    rest_of_life(arguments[1], recorder);
  }
  char byte;
  return read(ready[0], &byte, 1) == 1 ? 4 : 1;
}
