// The first event of a thread that its vfork child writes carries that thread's number: not the child's, nor that of the parent's first thread.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -- %t %t.tid
// RUN: %show --python '[(ring.tid, len(ring.events)) for ring in buffers[0].rings] == [(int(open("%t.tid").read()), 3)]' %t.buf
#include "program.h"
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

NOINLINE static void in_child(void) { KEEP(0); }
UNTRACED static void *run(void *name) {
  FILE *file = fopen((const char *)name, "w");
  EXPECT(file && fprintf(file, "%ld", syscall(SYS_gettid)) > 0 && fclose(file) == 0);
  pid_t pid = vfork();
  if (pid == 0) {
    for (int i = 0; i < 3; i++)
      in_child();
    _exit(0);
  }
  EXPECT_EQ(waitpid(pid, NULL, 0), pid);
  return NULL;
}
UNTRACED int main(int count, char **arguments) {
  pthread_t thread;
  EXPECT_EQ(count, 2);
  EXPECT_EQ(pthread_create(&thread, NULL, run, arguments[1]), 0);
  pthread_join(thread, NULL);
  return failures;
}
