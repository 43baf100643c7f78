// A Ctrl-C ends attach although the process is stopped while its settings are made. The process has its own settings when it goes on.
// RUN: %traced_cc %S/events.c -o %t && %clang -shared -fPIC %s -o %t.so && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/interrupted_while_stopped.py %nophook %lib/libnophook.so %t %t.so %t.data
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
// Each request of the command's waits so for its answer: this one is behind the first setting.
int poll(struct pollfd *files, nfds_t count, int timeout) {
  static int times;
  if (count == 2 && ++times == 12) {
    kill(atoi(getenv("STOPPED")), SIGSTOP);
    kill(getpid(), SIGINT);
  }
  return (int)syscall(SYS_poll, files, count, timeout);
}
