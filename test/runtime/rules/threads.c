// set_ftrace_pid takes threads and processes, set_ftrace_notrace_pid leaves them out; with function-fork a child is as its parent.
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p '' -- /bin/sh -c 'NOPHOOK="$NOPHOOK current_tracer=function set_ftrace_pid=$$" exec %t'
// RUN: %show --count %t.buf | FileCheck --check-prefix=PROCESS %s
// RUN: %trace -p '' -- /bin/sh -c 'NOPHOOK="$NOPHOOK current_tracer=function trace_options=function-fork set_ftrace_pid=1,$$" exec %t'
// RUN: %show --count %t.buf | FileCheck --check-prefix=FORK %s
// RUN: %trace -p '' -- /bin/sh -c 'NOPHOOK="$NOPHOOK current_tracer=function_graph set_ftrace_notrace_pid=$$" exec %t'
// RUN: %show --count %t.buf | FileCheck --check-prefix=NOT %s
// RUN: %trace -p '' -- /bin/sh -c 'NOPHOOK="$NOPHOOK current_tracer=function_graph set_ftrace_pid=$$ set_ftrace_notrace_pid=$$" exec %t'
// RUN: %show --python 'all(not b.rings for b in buffers)' %t.buf
#include "program.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
NOINLINE void parent(void) { KEEP(0); }
NOINLINE void thread(void) { KEEP(0); }
NOINLINE void child(void) { KEEP(0); }
UNTRACED static void *body(void *unused) { return thread(), unused; }
UNTRACED int main(void) {
  parent();
  pthread_t id;
  pthread_create(&id, NULL, body, NULL);
  pthread_join(id, NULL);
  pid_t pid = fork();
  if (!pid) {
    child();
    _exit(0);
  }
  waitpid(pid, NULL, 0);
  parent();
  return failures;
}
// PROCESS-NOT: child:
// PROCESS: parent: 2 function
// PROCESS: thread: 1 function
// PROCESS-NOT: child:
// FORK: parent: 2 function
// FORK: thread: 1 function
// FORK: child: 1 function
// NOT-NOT: parent:
// NOT-NOT: thread:
// NOT: child: 1 entry, 1 exit
