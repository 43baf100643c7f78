// A process that a program starts after its recording was stopped fills no buffers and runs on.
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run && chmod 700 %t.run
// RUN: %exits 5 env XDG_RUNTIME_DIR=%t.run %python %inputs/interrupt.py kill %nophook record -o %t.data -- %t 2>&1 | FileCheck %s
// CHECK: nophook: {{[1-9][0-9]*}} event{{s?}} of {{[12]}} function{{s?}} in 1 thread
// CHECK-NOT: buffer
// CHECK: no buffer is left
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int count_buffers(void) {
  char pattern[4096];
  glob_t found = {0};
  snprintf(pattern, sizeof pattern, "%s/nophook/*/*.buf", getenv("XDG_RUNTIME_DIR"));
  glob(pattern, 0, 0, &found);
  return (int)found.gl_pathc;
}
int main(int count, char **arguments) {
  if (count > 1)
    return 0;
  puts("ready"), fflush(stdout);
  for (int i = 0; i < 12000 && count_buffers(); i++) // until the recording has ended
    usleep(10000);
  if (fork() == 0)
    execl(arguments[0], arguments[0], "again", (char *)0);
  wait(0);
  for (int i = 0; i < 3000 && count_buffers(); i++)
    usleep(10000);
  puts(count_buffers() ? "a buffer is left" : "no buffer is left");
  return 5;
}
