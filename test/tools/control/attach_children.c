// attach also records the children that the process makes while it records, whether they execute
// a program or not, and up to its end those that outlive it; when the recording has ended, one that
// serves has its own settings.
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/attach_children.py %nophook %lib/libnophook.so %t %t.data
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) static void tick(int n) {
  asm volatile("" : "+r"(n));
}
static void calls(int count) {
  for (int i = 0; i < count; i++)
    tick(i);
}
// Prints its number when it has called, and lives until no process has the other end of `life`.
static void stay(int life) {
  char byte;
  printf("%d\n", getpid());
  fflush(stdout);
  _exit(read(life, &byte, 1) != 0);
}
// Until the recorder knows this process.
static void wait_for_recorder(void) {
  char path[4096];
  struct stat space;
  stat("/proc/self/ns/pid", &space);
  snprintf(path, sizeof path, "%s/nophook/follow/%lu-%d", getenv("XDG_RUNTIME_DIR"), space.st_ino, getpid());
  for (int i = 0; i < 12000 && access(path, F_OK) != 0; i++)
    usleep(10000);
}
int main(int count, char **arguments) {
  if (count > 1) { // COUNT LIFE: as a program that was executed; LIFE -1: ends at once
    calls(atoi(arguments[1]));
    if (atoi(arguments[2]) >= 0)
      stay(atoi(arguments[2]));
    return 0;
  }
  char how[32], number[16], life[16];
  int n;
  while (scanf("%31s %d", how, &n) == 2) {
    int is_orphan = strcmp(how, "orphan") == 0;
    int stays = is_orphan || strstr(how, "stay");
    pid_t child = fork();
    if (child == 0) {
      if (is_orphan && fork())
        _exit(0);
      snprintf(number, sizeof number, "%d", n);
      snprintf(life, sizeof life, "%d", stays ? 3 : -1);
      if (strncmp(how, "exec", 4) == 0)
        execl("/proc/self/exe", arguments[0], number, life, NULL);
      calls(n);
      if (is_orphan) { // the program that it executes has no parent that was recorded
        wait_for_recorder();
        execl("/proc/self/exe", arguments[0], number, life, NULL);
      }
      if (stays)
        stay(3);
      _exit(0);
    }
    if (!stays) {
      waitpid(child, NULL, 0);
      puts("done");
      fflush(stdout);
    }
  }
  return 0;
}
