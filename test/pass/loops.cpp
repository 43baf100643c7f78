// facts= names the functions that no path leaves from a loop, those that call such a function, and those that wait in a loop; an ordinary loop, and a function that ends the process, are not among them.
// RUN: %clang -O2 %instrument %option-facts=%t.facts -c %s -o %t.o
// RUN: sort %t.facts | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// CHECK: calls_serve{{	}}endless{{	}}serve
// CHECK-NEXT: ends{{	}}endless
// CHECK-NEXT: serve{{	}}endless
// CHECK-NEXT: sometimes{{	}}endless
// CHECK-NEXT: wait_for_one{{	}}waits{{	}}wait_once
// CHECK-NEXT: waits{{	}}waits{{	}}poll

// The same before the optimizer, and a file that cannot be written.
// RUN: %clang -O0 %instrument %option-facts=%t.facts -c %s -o %t.o
// RUN: sort %t.facts | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: not %clang %instrument %option-facts=%t/nowhere/file -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: nophook: facts: can't write file '{{.*}}nowhere/file': No such file or directory
#include <poll.h>
#include <stdlib.h>
extern "C" {
extern volatile int work, stop;
void handle();
__attribute__((noinline)) void serve() { // an exception is no return
  for (;;)
    handle();
}
__attribute__((noinline)) void calls_serve() {
  handle();
  serve();
}
void sometimes(int n) {
  if (n)
    for (;;)
      work = work + 1;
  work = 0;
}
void ends() {
  while (true) {
    handle();
    if (stop)
      exit(0);
  }
}
void waits() {
  pollfd one = {};
  while (!stop)
    poll(&one, 1, -1);
}
__attribute__((noinline)) int wait_once(int time) {
  pollfd one = {};
  return poll(&one, 1, time);
}
int wait_for_one() {
  int n;
  while ((n = wait_once(10)) == 0)
    handle();
  return n;
}
void ordinary(int n) {
  for (int i = 0; i < n; i++)
    handle();
  if (stop)
    abort();
}
__attribute__((noinline)) void give_up() {
  handle();
  exit(1);
}
void calls_give_up() { give_up(); }
}
