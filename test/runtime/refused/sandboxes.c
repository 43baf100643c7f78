// OpenSSH's, Chromium's and systemd's filters of system calls, which a program gives itself while it is traced, kill it for nothing that a tracer does: first events of threads, new sub-buffers, ends of threads, and exit(). All events are there.
// RUN: env -u NOPHOOK_TEXT_CHECK %traced_cc -O1 %s -o %t
// RUN: env -u NOPHOOK_TEXT_CHECK %trace -p function -- %t && %show --python '[r.lost for b in buffers for r in b.rings if r.lost] == [] and sum(len(r.events) for b in buffers for r in b.rings) == 3 * 60000' %t.buf
// RUN: env -u NOPHOOK_TEXT_CHECK %trace -p function_graph -- %t && %show --python 'sum(len(r.events) for b in buffers for r in b.rings) == 3 * 2 * 60000' %t.buf
// RUN: env -u NOPHOOK_TEXT_CHECK %trace -p function_graph -s args=1 -- %t
// RUN: env -u NOPHOOK_TEXT_CHECK %trace -p profile -- %t
// RUN: env -u NOPHOOK_TEXT_CHECK %trace -p hits -- %t
// RUN: env -u NOPHOOK_TEXT_CHECK %trace -p function -k 1024 -s buffer_mode=overwrite -- %t
// RUN: env -u NOPHOOK_TEXT_CHECK %trace -p function -s trace_clock=mono_raw -- %t
// RUN: env -u NOPHOOK_TEXT_CHECK %trace -p function_graph -s off_cpu=1 -- %t
// RUN: env -u NOPHOOK_TEXT_CHECK GLIBC_TUNABLES=glibc.pthread.rseq=0 %trace -p function -- %t
#include "program.h"
#include "sandboxes.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>

enum { kThreads = 3, kCalls = 15000 };
static pthread_barrier_t begun, in_sandbox;
NOINLINE static void work(int n, const char *text) { KEEP(n); KEEP(text); }
UNTRACED static void *run(void *unused) {
  pthread_barrier_wait(&begun); // a thread's start takes other calls
  pthread_barrier_wait(&in_sandbox);
  for (int i = 0; i < kCalls; i++)
    work(i, "text");
  return unused;
}
UNTRACED static void live_in(const char *sandbox) {
  pthread_t threads[kThreads];
  pthread_barrier_init(&begun, NULL, kThreads + 1);
  pthread_barrier_init(&in_sandbox, NULL, kThreads + 1);
  for (int i = 0; i < kThreads; i++)
    EXPECT_EQ(pthread_create(&threads[i], NULL, run, NULL), 0);
  work(0, "text"); // the buffer is made
  pthread_barrier_wait(&begun);
  enter_sandbox(sandbox);
  pthread_barrier_wait(&in_sandbox);
  for (int i = 1; i < kCalls; i++)
    work(i, "text");
  for (int i = 0; i < kThreads; i++)
    EXPECT_EQ(pthread_join(threads[i], NULL), 0);
  exit(failures);
}
UNTRACED int main(void) {
  static const char *const kSandboxes[] = {"openssh", "chromium", "service"};
  for (int i = 0; i < 3; i++) {
    int status = -1;
    pid_t child = fork();
    if (!child)
      live_in(kSandboxes[i]);
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0); // SIGSYS: the filter has killed it
  }
  return failures;
}
