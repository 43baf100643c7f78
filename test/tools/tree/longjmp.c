// The calls that longjmp leaves are recorded as the program itself reports them.
// RUN: %traced_cc -D_GNU_SOURCE %s -o %t && %python %S/../../support/same_tree.py %nophook %t 600
#include "../../support/selftree.h"
#include <setjmp.h>
static jmp_buf home;
SEEN static void leaf(int n) {
  tree_in(__func__);
  if (n % 3 == 0)
    longjmp(home, 1);
  tree_out();
}
SEEN static void down(int n, int depth) {
  tree_in(__func__);
  if (depth)
    down(n, depth - 1);
  else
    leaf(n);
  tree_out();
}
SEEN static void outer(int n) {
  tree_in(__func__);
  int depth = tree_depth();
  if (setjmp(home) == 0)
    down(n, n % 5);
  tree_to(depth);
  leaf(1);
  tree_out();
}
UNTRACED int main(void) {
  for (int n = 0; n < 100; n++)
    outer(n);
  return tree_print();
}
