// io_uring_enter, which a stop ends with EINTR, is issued again: a program that only waits there never sees that.
// REQUIRES: ptrace, io-uring
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/rounds.py %nophook %t %t.run %rounds wait
#include "turns.h"
#include <linux/io_uring.h>
#include <sys/syscall.h>
int main(int count, char **arguments) {
  struct io_uring_params parameters = {0};
  struct __kernel_timespec time = {0, 5000000};
  struct io_uring_getevents_arg waits = {.ts = (unsigned long)&time};
  MUST(count == 3);
  open_turns(arguments[1]);
  int ring = (int)syscall(SYS_io_uring_setup, 4, &parameters);
  MUST(ring >= 0);
  while (!has_input_ended()) {
    MUST(syscall(SYS_io_uring_enter, ring, 0, 1, IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, &waits, sizeof waits) == -1);
    MUST(errno == ETIME);
    turn();
  }
}
