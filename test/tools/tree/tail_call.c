// Tail calls are recorded as the program itself reports them: each ends the one before, and the call that began with a call ends with its return.
// RUN: %traced_cc -D_GNU_SOURCE %s -o %t && %python %S/../../support/same_tree.py %nophook %t 500
#include "../../support/selftree.h"
SEEN static int leaf(int n) {
  tree_in(__func__);
  tree_out();
  return n;
}
SEEN static int odd(int n);
SEEN static int even(int n) {
  tree_in(__func__);
  leaf(n);
  tree_out(); // it is over when the next one begins, or with `first`
  if (n == 0)
    return 0;
  __attribute__((musttail)) return odd(n - 1);
}
SEEN static int odd(int n) {
  tree_in(__func__);
  tree_out();
  __attribute__((musttail)) return even(n - 1);
}
SEEN static int first(int n) {
  tree_in(__func__);
  __attribute__((musttail)) return even(n);
}
SEEN static int outer(int n) {
  tree_in(__func__);
  int result = first(2 * n);
  tree_out(); // ends `first`: it returns to here, through those that took its place
  result += leaf(n);
  tree_out();
  return result;
}
UNTRACED int main(void) {
  for (int n = 0; n < 20; n++)
    outer(n);
  return tree_print();
}
