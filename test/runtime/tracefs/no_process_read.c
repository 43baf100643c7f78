// Where process_vm_readv is refused (sandboxes, qemu 7.2), texts behind pointers and stack traces are
// read all the same. A bad pointer is a fault, and a child of fork gets no descriptor of the reads.
// RUN: %traced_cc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls %s -o %t %linked
// RUN: %trace_linked -p '' -- %t 1 && %nophook report %t.buf | FileCheck %s
// RUN: %trace_linked -p '' -- %t 38 && %nophook report %t.buf | FileCheck %s
// CHECK: texts: (shown{{[^)]*}}) text="hello"
// CHECK: texts: (shown{{[^)]*}}) text=(fault)
// CHECK: texts: (shown{{[^)]*}}) text="end"
// CHECK: texts: (shown{{[^)]*}}) text=(fault)
// CHECK: texts: (shown{{[^)]*}}) text="hello"
// CHECK-NEXT: <stack trace>
// CHECK-NEXT: => shown
// CHECK-NEXT: => middle
// CHECK-NEXT: => outer
// CHECK: 100 children
#include "refuse.h"
#include "tree.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>

NOINLINE void shown(const char *text) { KEEP(text); }
NOINLINE void busy(const char *text) { KEEP(text); }
NOINLINE static void middle(void) {
  shown("hello");
  KEEP(0);
}
NOINLINE static void outer(void) {
  middle();
  KEEP(0);
}

static volatile int is_over;
UNTRACED static void *read_all_the_time(void *argument) {
  while (!is_over)
    busy("a text");
  return argument;
}

UNTRACED static int has_memory_open(void) {
  int count = 0;
  for (int file = 0; file < 100; file++) {
    char path[32], target[64] = "";
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    count += readlink(path, target, sizeof target - 1) > 0 && strstr(target, "/mem") != NULL;
  }
  return count;
}

UNTRACED int main(int argc, char **argv) {
  const int error = argc > 1 ? atoi(argv[1]) : EPERM;
  char word = 'w', copy = 0;
  const struct iovec from = {&word, 1}, to = {&copy, 1};
  if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) == 1)
    refuse(SYS_process_vm_readv, 0, 0, error);
  EXPECT_EQ(process_vm_readv(getpid(), &to, 1, &from, 1, 0), -1);
  char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT(pages != MAP_FAILED);
  EXPECT_EQ(munmap(pages + 4096, 4096), 0);
  memcpy(pages + 4092, "end", 4);

  EXPECT_EQ(echo("f:mine/texts shown text=+0($arg1):string\nf:mine/busy busy text=+0($arg1):string", "dynamic_events", 1), 0);
  EXPECT_EQ(echo("1", "events/mine/texts/enable", 0), 0);
  shown("hello");
  shown(pages + 4096);
  shown(pages + 4092);
  shown((const char *)0xffff800000000000); // the kernel's
  EXPECT_EQ(echo("stacktrace:1", "events/mine/texts/trigger", 1), 0);
  outer();

  EXPECT_EQ(echo("text == \"another\"", "events/mine/busy/filter", 0), 0);
  EXPECT_EQ(echo("1", "events/mine/busy/enable", 0), 0);
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, read_all_the_time, NULL), 0);
  int children = 0;
  for (int i = 0; i < 100; i++) {
    const pid_t child = fork();
    if (child == 0)
      syscall(SYS_exit_group, has_memory_open()); // a preloaded library would compare the text
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    children += status == 0;
  }
  is_over = 1;
  EXPECT_EQ(pthread_join(thread, NULL), 0);
  EXPECT_EQ(has_memory_open(), 0);
  char line[32];
  snprintf(line, sizeof line, "%d children", children);
  EXPECT(echo(line, "trace_marker", 0) == 0);
  return failures;
}
