// The end of a thread in the middle of calls is in its ring, behind what destructors of its values call, also in an instance; a fork child that ends so makes no buffer.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -l body -l leaver -l destroy -- %t
// RUN: %show --tree %t.buf | FileCheck %s
// RUN: %show --python 'len(buffers) == 1 and [e.id for r in buffers[0].rings for e in r.ends if e.id != "exit()"] == ["thread exit"] * 2' %t.buf
// RUN: %trace_linked -p function -l body -l leaver -l destroy -- %t
// RUN: %show --python '[r.ends for r in buffers[0].rings] == [[]] * 3 and buffers[0].lost_events() == 0' %t.buf
// With 40 keys of the program's own before ours no end is recorded, and nothing else is different.
// RUN: %trace_linked -p "" -- %t keys
// RUN: %show --python '[(len(r.ends), len(r.events)) for r in buffers[0].rings if r.tid != buffers[0].pid] == [(0, 4), (0, 4)]' %t.buf
#include "program.h"
#include <ftrace.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_key_t key;
NOINLINE static void destroy(void *times) {
  if ((long)times > 1)
    pthread_setspecific(key, (char *)times - 1);
  __asm__ volatile("");
}
NOINLINE static void leaver(void) { pthread_setspecific(key, (void *)1), pthread_exit(NULL); }
NOINLINE static void *body(void *unused) {
  leaver();
  __asm__ volatile("");
  return unused;
}
UNTRACED static void run(void) {
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, body, NULL), 0);
  EXPECT_EQ(pthread_join(thread, NULL), 0);
}
UNTRACED static void *child(void *unused) { return unused; }
UNTRACED int main(int count, char **arguments) {
  pthread_key_t other;
  (void)arguments;
  for (int i = 0; i < 40 && count > 1; i++)
    EXPECT_EQ(pthread_key_create(&other, NULL), 0);
  EXPECT_EQ(pthread_key_create(&key, destroy), 0);
  if (count > 1)
    EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
  run();
  run();
  destroy((void *)1); // this thread has a ring, too
  pid_t pid = fork();
  if (pid == 0)
    pthread_exit(child(NULL));
  int status;
  EXPECT(waitpid(pid, &status, 0) == pid && status == 0);
  exit(failures != 0);
}
// CHECK: body {
// CHECK-NEXT: leaver {
// CHECK-NEXT: destroy {
