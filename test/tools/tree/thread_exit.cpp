// The calls of threads that end in the middle of calls, by pthread_exit and by a cancellation, are recorded as the program itself reports them.
// RUN: %traced_cxx %s -o %t && %python %S/../../support/same_tree.py %nophook %t 200
#include "../../support/selftree.h"
#include <pthread.h>
SEEN static void leaf(int n) {
  TREE;
  if (n % 3 == 0)
    pthread_exit(nullptr);
  if (n % 3 == 1) {
    pthread_cancel(pthread_self());
    pthread_testcancel();
  }
}
struct Last { UNTRACED ~Last() { leaf(2); } }; // an event that proves what is over
SEEN static void down(int n, int depth) {
  TREE;
  Last last;
  depth ? down(n, depth - 1) : leaf(n);
}
SEEN static void *body(void *number) {
  TREE;
  leaf(2);
  down((int)(long)number, (int)(long)number % 7);
  return nullptr;
}
UNTRACED int main() {
  for (long n = 0; n < 40; n++) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, body, (void *)n) || pthread_join(thread, nullptr))
      return 1;
  }
  return tree_print();
}
