// A thread in a system call that a stop ends short is left alone if another thread can be used: no write and no recv returns a part.
// REQUIRES: ptrace
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/once.py %nophook %t %t.run 2 write
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/once.py %nophook %t %t.run 2 recv
#include "turns.h"
#include <pthread.h>
#include <sys/socket.h>
static int g_pair[2];
static char g_bytes[1 << 20], g_got[1 << 20];
static void *take_turns(void *does_write) {
  for (; !has_input_ended(); usleep(1000))
    turn();
  if (!does_write)
    MUST(send(g_pair[1], g_bytes, 1, 0) == 1);
  for (ssize_t got = 0, part; does_write && got < (ssize_t)sizeof g_got; got += part)
    MUST((part = read(g_pair[1], g_got, sizeof g_got)) > 0);
  return NULL;
}
// The main thread is the one that would be tried first.
int main(int count, char **arguments) {
  pthread_t other;
  MUST(count == 3 && socketpair(AF_UNIX, SOCK_STREAM, 0, g_pair) == 0 && send(g_pair[1], g_bytes, 1, 0) == 1);
  open_turns(arguments[1]);
  const int writes = strcmp(arguments[2], "write") == 0;
  MUST(pthread_create(&other, NULL, take_turns, writes ? arguments : NULL) == 0);
  if (writes)
    MUST(write(g_pair[0], g_bytes, sizeof g_bytes) == sizeof g_bytes);
  else
    MUST(recv(g_pair[0], g_got, 2, MSG_WAITALL) == 2);
  MUST(pthread_join(other, NULL) == 0);
}
