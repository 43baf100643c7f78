// A thread whose first event comes in a vfork child goes on with the ring that the child took there: one thread that lives, though the child's number is that of a thread which is gone.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -k 1024 -s buffer_mode=overwrite -- %t
// RUN: %show --count %t.buf | FileCheck %s
// CHECK: 3 threads, 0 lost
// CHECK: in_child: 5 function
// CHECK-NEXT: in_parent: 7 function
#include "program.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

NOINLINE static void in_child(void) { KEEP(0); }
NOINLINE static void in_parent(void) { KEEP(0); }
NOINLINE static void in_thread(void) { KEEP(0); }
UNTRACED static void *run(void *unused) { return in_thread(), unused; }
UNTRACED int main(void) {
  pid_t pid = vfork();
  if (pid == 0) {
    for (int i = 0; i < 5; i++)
      in_child();
    _exit(0);
  }
  waitpid(pid, NULL, 0);
  for (int i = 0; i < 2; i++) { // they take what is left, and find nothing of ours
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
  }
  for (int i = 0; i < 7; i++)
    in_parent();
  return failures;
}
