// The calls of fork children, of which each trace begins with the child, are recorded as the program itself reports them.
// RUN: %traced_cc -D_GNU_SOURCE %s -o %t && %python %S/../../support/same_tree.py %nophook %t 150
#include "../../support/selftree.h"
#include <sys/wait.h>
SEEN static void leaf(int n) {
  tree_in(__func__);
  __asm__ volatile("" : "+r"(n));
  tree_out();
}
SEEN static void twice(int n) {
  tree_in(__func__);
  leaf(n), leaf(n + 1);
  tree_out();
}
SEEN static void forks(int n) {
  tree_in(__func__);
  leaf(n);
  pid_t child = fork();
  if (child == 0) {
    tree_forked();
    for (int i = 0; i < n; i++)
      twice(n);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  leaf(n);
  tree_out();
}
UNTRACED int main(void) {
  for (int n = 0; n < 10; n++)
    forks(n);
  return tree_print();
}
