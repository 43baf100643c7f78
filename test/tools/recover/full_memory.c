// Where the file system of the buffers is full before a sub-buffer has all its memory, the program goes on, events are lost and counted, and neither recover nor stat dies of a look at a part without memory; a killed program's events are all there.
// REQUIRES: mounts
// RUN: %traced_cc %s -o %t && rm -rf %t.dir && mkdir -p %t.dir
// RUN: unshare -rm sh -c 'mount -t tmpfs -o size=2m none %t.dir && NOPHOOK="current_tracer=function buffer_dir=%t.dir buffer_size_kb=1024 log=stderr" LD_PRELOAD=%lib/libnophook.so %t %t.dir/filler; echo the program $?; %nophook recover -o %t.data %t.dir; echo recover $?' > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: %nophook report %t.data | FileCheck %s --check-prefix=REPORT
// CHECK: all calls made
// CHECK: the program 137
// CHECK: {{[0-9]+}} events of 1 process
// CHECK: recover 0
// REPORT: first <-
// REPORT: work <-
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((noinline)) static void first(void) { __asm__ volatile("" ::: "memory"); }
__attribute__((noinline)) static void work(void) { __asm__ volatile("" ::: "memory"); }
static void *run(void *path) { // the first thread's sub-buffer stays as it is
  static char page[4096];
  int filler = open(path, O_WRONLY | O_CREAT, 0600);
  while (write(filler, page, sizeof page) > 0)
    ;
  for (int i = 0; i < 100000; i++)
    work();
  return path;
}
int main(int count, char **arguments) {
  pthread_t thread;
  first();
  pthread_create(&thread, NULL, run, arguments[count - 1]);
  pthread_join(thread, NULL);
  puts("all calls made");
  fflush(stdout);
  raise(SIGKILL);
}
