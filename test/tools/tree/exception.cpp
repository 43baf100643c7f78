// The calls that exceptions leave, caught and rethrown at several depths, are recorded as the program itself reports them.
// RUN: %traced_cxx %s -o %t && %python %S/../../support/same_tree.py %nophook %t 600
#include "../../support/selftree.h"
SEEN static void leaf(int n) {
  TREE;
  if (n % 3 == 0)
    throw n;
}
SEEN static void down(int n, int depth) {
  TREE;
  depth ? down(n, depth - 1) : leaf(n);
}
SEEN static void rethrow(int n) {
  TREE;
  try {
    down(n, n % 5);
  } catch (int) {
    down(1, 1);
    if (n % 2)
      throw;
  }
}
SEEN static void outer(int n) {
  TREE;
  try {
    rethrow(n);
  } catch (int) {
    leaf(1);
  }
}
UNTRACED int main() {
  for (int n = 0; n < 100; n++)
    outer(n);
  return tree_print();
}
