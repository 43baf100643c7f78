// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that was not prepared, to attach to: its only thread turns, and keeps the longest gap
// between two turns in the second word of the file ARGUMENT; the first counts turns. A client
// that reads the gap sets it to 0.

#include "support.h"

#include <sys/mman.h>

NOINLINE static void turn(uint64_t *words, double gap) {
  __atomic_fetch_add(&words[0], 1, __ATOMIC_RELAXED);
  if (gap > (double)__atomic_load_n(&words[1], __ATOMIC_RELAXED))
    __atomic_store_n(&words[1], (uint64_t)gap, __ATOMIC_RELAXED);
}

int main(int count, char **arguments) {
  int file = count == 2 ? open(arguments[1], O_RDWR) : -1;
  uint64_t *words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (words == MAP_FAILED)
    give_up("usage: %s FILE", arguments[0]);
  for (double last = now_ns(), now;; last = now) {
    now = now_ns();
    turn(words, now - last);
  }
}
