// A program that is started with an environment of its own, by exec or by posix_spawn, or with another LD_PRELOAD, or is static without the runtime, is not recorded: it is named, and others are not.
// RUN: %traced_cc %s -o %t && %traced_cc -static %s -o %t.static && cp %t %t.other
// RUN: %nophook record -o %t.data -- %t %t.other exec 2>&1 | FileCheck %s --check-prefixes=CHECK,OTHER
// RUN: %nophook record -o %t.data -- %t %t.other spawn 2>&1 | FileCheck %s --check-prefixes=CHECK,OTHER
// RUN: %nophook record -o %t.data -- %t %t.other preload 2>&1 | FileCheck %s --check-prefixes=CHECK,PRELOAD
// RUN: %nophook record -o %t.data -- %t %t.static follow 2>&1 | FileCheck %s --check-prefixes=CHECK,STATIC
// RUN: %nophook record -o %t.data -- %t /bin/cat spawn 2>&1 | FileCheck %s
// RUN: %exits 1 %nophook record --strict -o %t.data -- %t %t.other exec 2>&1 | FileCheck %s --check-prefix=STRICT
// STRICT: missed.c.tmp: a process was not recorded (--strict)
// CHECK-NOT: recorded
// OTHER: nophook: {{(at least )?}}1 process was not recorded: missed.c.tmp.other ([[#]]): started without NOPHOOK and LD_PRELOAD in the environment
// PRELOAD: nophook: {{(at least )?}}1 process was not recorded: missed.c.tmp.other ([[#]]): started with an LD_PRELOAD that libnophook.so is not in (write it in front of nophook: LD_PRELOAD=LIBRARY nophook record ...)
// STATIC: nophook: {{(at least )?}}1 process was not recorded: missed.c.tmp.static ([[#]]): a static program without the runtime
// CHECK-NOT: recorded
// CHECK: nophook: 2 events of 1 function in 1 thread, 0 events lost
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
// The recorder keeps the program that a process executes when it has seen it.
__attribute__((no_instrument_function)) static int is_seen(pid_t recorder, const char *program) {
  char command[8400];
  snprintf(command, sizeof command, "ls -l /proc/%d/fd | grep -q '%s$'", recorder, program);
  return system(command) == 0;
}
int main(int count, char **arguments) {
  char byte, *own[] = {"A=b", 0}, *words[] = {arguments[1], 0};
  int hold[2];
  if (count == 1) // as the other program: until it is let go
    return read(0, &byte, 1) != 0;
  if (pipe(hold))
    return 1;
  pid_t child;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, hold[0], 0);
  posix_spawn_file_actions_addclose(&actions, hold[0]);
  posix_spawn_file_actions_addclose(&actions, hold[1]);
  if (!strcmp(arguments[2], "preload"))
    setenv("LD_PRELOAD", "libm.so.6", 1);
  char **environment = arguments[2][0] == 'f' || arguments[2][0] == 'p' ? environ : own;
  if (strcmp(arguments[2], "exec")) {
    posix_spawn(&child, arguments[1], &actions, 0, words, environment);
  } else if ((child = fork()) == 0) {
    dup2(hold[0], 0);
    close(hold[0]), close(hold[1]);
    execve(arguments[1], words, environment);
    _exit(1);
  }
  for (int i = 0; i < 6000 && !is_seen(getppid(), arguments[1]); i++)
    usleep(10000);
  close(hold[1]);
  return waitpid(child, 0, 0) != child;
}
