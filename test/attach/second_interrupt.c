// A second Ctrl-C ends attach while it reads the names for the recording: the recording is whole without them, and the program has its settings back.
// REQUIRES: ptrace
// RUN: rm -rf %t && mkdir -p %t/run && %traced_cc -O2 -mavx2 %S/busy.c -o %t/program && %traced_cc -shared -fPIC %s -o %t/blocks.so
// RUN: env XDG_RUNTIME_DIR=%t/run %python %inputs/second_interrupt.py %nophook %t/program %t/run %t/blocks.so | FileCheck %s
// CHECK: recording of {{[0-9]+}} has ended on SIGINT
// CHECK-NEXT: nophook: the recording has no names of functions: a signal came while they were read
// CHECK-NEXT: events of {{[0-9]+}} function
// CHECK: status 0
// CHECK: tracer nop
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
// For the command: its first look into the program's file blocks as soon as the test wants it, and says so.
static int opened(const char *path, int flags, int mode) {
  const char *program = getenv("BLOCKS_AT"), *wish = getenv("BLOCKS_IF"), *says = getenv("BLOCKS_SAYS");
  if (program && strcmp(path, program) == 0 && access(wish, F_OK) == 0) {
    syscall(SYS_openat, AT_FDCWD, says, O_CREAT | O_WRONLY, 0600);
    for (;;)
      pause();
  }
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
#define OPEN(name)                                                                                                     \
  int name(const char *path, int flags, ...) {                                                                         \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;                                                  \
    va_end(rest);                                                                                                      \
    return opened(path, flags, mode);                                                                                  \
  }
OPEN(open)
OPEN(open64)
