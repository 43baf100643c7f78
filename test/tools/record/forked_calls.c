// A worker of a prefork server goes on inside main, serve and spawn, which are counted once: by libc's fork, a bare
// clone, in a handler, by another thread, and in a child of a child.
// RUN: %traced_cc -O1 %s -o %t
// RUN: sh -ec 'for how in fork clone handler thread grandchild; do %nophook record -o %t.data -- %t $how; \
// RUN:   %nophook report --top --function serve %t.data | FileCheck %s; \
// RUN:   %nophook report %t.data | FileCheck %s --check-prefix=TEXT; \
// RUN:   %nophook export --format folded %t.data | FileCheck %s --check-prefix=FOLDED; done'
// RUN: %nophook record -S set_graph_function=serve -o %t.data -- %t fork
// RUN: %nophook report --top %t.data | FileCheck %s
// CHECK-DAG: {{ }}15 request{{$}}
// CHECK-DAG: {{ }}3 worker_loop{{$}}
// CHECK-DAG: {{ }}1 serve{{$}}
// TEXT-COUNT-3: serve() { /* was open */
// TEXT-NOT: worker_loop exit()
// FOLDED-NOT: {{^[^;]*;(request|worker_loop)}}
// FOLDED: serve;spawn;worker_loop;request
// FOLDED-NOT: {{^[^;]*;(request|worker_loop)}}
#include "../../support/program.h"
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static const char *how;
static volatile pid_t made;
UNTRACED static pid_t begin(void) {
  return strcmp(how, "clone") ? fork() : (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}
UNTRACED static void on_signal(int signal) {
  (void)signal;
  made = fork();
}
NOINLINE static void request(int number) { KEEP(number); }
NOINLINE static void worker_loop(int number) {
  for (int i = 0; i < 5; i++)
    request(number + i);
}
static _Bool in_child;
NOINLINE static void spawn(int number) {
  if (!strcmp(how, "handler"))
    raise(SIGUSR1);
  else
    made = begin();
  if (made)
    return;
  in_child = 1;
  if (!strcmp(how, "grandchild") && fork() != 0) {
    wait(NULL);
    _exit(0);
  }
  worker_loop(number);
}
NOINLINE static int serve(int count) {
  for (int i = 0; i < count; i++) {
    spawn(i);
    if (in_child)
      return 1;
  }
  while (wait(NULL) > 0) {
  }
  return 0;
}
NOINLINE static void *on_thread(void *unused) {
  int result = serve(3);
  if (in_child)
    _exit(0);
  KEEP(result);
  return unused;
}
int main(int count, char **arguments) {
  how = arguments[count - 1];
  signal(SIGUSR1, on_signal);
  if (strcmp(how, "thread"))
    return serve(3), 0;
  pthread_t thread;
  pthread_create(&thread, NULL, on_thread, NULL);
  pthread_join(thread, NULL);
}
