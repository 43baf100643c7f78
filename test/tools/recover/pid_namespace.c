// A process in another PID namespace is found by its namespace and its start: it runs, and --clean leaves its buffer. From inside, nothing is known of a process outside, and nothing is taken.
// REQUIRES: pid-namespaces
// RUN: %traced_cc %s -o %t && rm -rf %t.dir && mkdir -p %t.dir/run
// RUN: env XDG_RUNTIME_DIR=%t.dir/run sh %inputs/beside_running.sh %t.dir "unshare -pf --mount-proc" %t %lib "%nophook recover --list" "%nophook recover --clean %t.dir/run/nophook" 2>&1 | FileCheck %s --check-prefixes=OUTSIDE,BOTH
// RUN: env XDG_RUNTIME_DIR=%t.dir/run sh %inputs/beside_running.sh %t.dir env %t %lib "unshare -pf --mount-proc %nophook recover --list" "unshare -pf --mount-proc %nophook recover --clean %t.dir/run/nophook" 2>&1 | FileCheck %s --check-prefixes=INSIDE,BOTH
// OUTSIDE: {{^}} 1 running
// INSIDE: {{^}} {{[0-9]+}} unknown
// BOTH: 0 buffers of ended processes removed
#include <unistd.h>

__attribute__((noinline)) static void work(int n) { __asm__ volatile("" : "+r"(n)); }
int main(void) {
  char byte;
  work(1);
  return read(0, &byte, 1) != 0; // until the test lets go
}
