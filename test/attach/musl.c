// A program with another C library than glibc is refused by the library's name, and runs on.
// REQUIRES: ptrace, musl
// RUN: rm -rf %t.run && mkdir %t.run
// RUN: %clang -std=gnu17 -O1 -D_GNU_SOURCE -nostdinc -isystem /usr/include/x86_64-linux-musl -I %inputs -fplugin=%plugin -c %s -o %t.o
// RUN: musl-gcc %t.o %tables -o %t
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/one_refusal.py %nophook %t %t.run "it runs on musl, and the runtime needs glibc 2.34 or later"
#include "turns.h"
int main(int count, char **arguments) {
  MUST(count == 2);
  open_turns(arguments[1]);
  while (!has_input_ended()) {
    turn();
    usleep(500);
  }
}
