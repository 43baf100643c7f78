// A server that has daemonised, and its workers of another user, are listed with owner and folder, as a tree, and recorded together; a worker alone is woken by attach, start, top, mount and trace-cmd. Both started with NOPHOOK=serve and not prepared at all.
// REQUIRES: ptrace, root, fuse, trace-cmd, tracefs
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: %own_mounts %with_tracefs %python %inputs/workers.py %build %t prepared
// RUN: %own_mounts %with_tracefs %python %inputs/workers.py %build %t plain
#include "turns.h"
#include <sys/wait.h>
enum { kWorkers = 2, kEnd = 10 }; // words of the file
static void work(int number) {
  for (g_turns[1 + number] = (unsigned long)getpid(); !g_turns[kEnd]; g_turns[5 + number]++) {
    turn();
    usleep(500);
  }
  _exit(0);
}
int main(int count, char **arguments) {
  MUST(count == 2);
  open_turns(arguments[1]);
  if (fork()) // as daemon(3): it belongs to init then, and has no terminal
    _exit(0);
  setsid();
  if (fork())
    _exit(0);
  for (int i = 0; i < 3; i++)
    close(i);
  for (int i = 1; i <= kWorkers; i++)
    if (fork() == 0) {
      MUST(setgid(65534) == 0 && setuid(65534) == 0);
      work(i);
    }
  for (g_turns[1] = (unsigned long)getpid(); !g_turns[kEnd]; g_turns[5]++) {
    turn();
    usleep(500);
  }
  for (int i = 0; i < kWorkers; i++)
    wait(NULL);
}
