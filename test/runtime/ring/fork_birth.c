// The header of a fork child's buffer has the child's own start time and PID namespace: after fork(), after a fork that libc does not know of, in a new namespace, and in children of a process there.
// REQUIRES: pid-namespaces
// RUN: %traced_cc -O1 -I%S %s -o %t
// RUN: %trace -p function -k 1024 -- %t
#include "resize.h"
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>

UNTRACED static unsigned long long own_start(void) {
  char text[1024] = "";
  unsigned long long start = 0;
  FILE *file = fopen("/proc/self/stat", "r");
  EXPECT(file && fgets(text, sizeof text, file));
  fclose(file);
  char *at = strrchr(text, ')') + 1;
  for (int field = 3; field < 22; field++)
    at = strchr(at + 1, ' ');
  EXPECT(sscanf(at, "%llu", &start) == 1);
  return start;
}
UNTRACED static void check(void) {
  struct stat space;
  work(1);
  const struct nophook_buffer *buffer = find_buffer();
  EXPECT(stat("/proc/self/ns/pid", &space) == 0);
  EXPECT_EQ(buffer->start_ticks, own_start());
  EXPECT_EQ(buffer->pid_namespace, space.st_ino);
}
// The child's children, and theirs, check as well; those between them make no call.
UNTRACED static void fork_and_check(int is_raw, int depth) {
  pid_t child = is_raw ? (pid_t)syscall(SYS_fork) : fork();
  if (child == 0) {
    if (depth)
      fork_and_check(is_raw, depth - 1);
    else
      check();
    _exit(failures != 0);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}
UNTRACED static void fork_all(void) {
  for (int i = 0; i < 40; i++)
    fork_and_check(i % 4 == 3, i % 3);
}
UNTRACED int main(void) {
  work(0);
  fork_all();
  EXPECT_EQ(unshare(CLONE_NEWPID), 0);
  if (fork() == 0) { // the namespace's first process; it has a /proc of its own
    EXPECT_EQ(unshare(CLONE_NEWNS), 0);
    EXPECT_EQ(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
    EXPECT_EQ(mount("none", "/proc", "proc", 0, NULL), 0);
    fork_all();
    check();
    _exit(failures != 0);
  }
  int status = -1;
  wait(&status);
  EXPECT_EQ(status, 0);
  return failures;
}
