// A call that an exception has left is over for a report when an event proves it: what an untraced function calls from deeper down before that is shown in it, and nothing after it.
// RUN: %traced_cxx %s -o %t && %nophook record -o %t.data -- %t && %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration %t.data | FileCheck %s --match-full-lines --strict-whitespace
#define SEEN __attribute__((noinline))
#define KEEP(value) __asm__ volatile("" : : "g"(value) : "memory")
SEEN static void thrower(int n) { throw n; }
SEEN static void tidy(int n) { KEEP(n); }
SEEN static void next(int n) { KEEP(n); }
// As __cxa_end_catch(), from which the destructor of an exception is called.
SEEN __attribute__((no_instrument_function)) static void library(int n) {
  char deep[1024];
  KEEP(deep);
  tidy(n);
  KEEP(deep);
}
SEEN static void catcher(int n) {
  try { thrower(n); } catch (int) {}
  library(n);
  next(n);
  library(n);
  KEEP(n);
}
int main() { catcher(1); }
//      CHECK:main() {
// CHECK-NEXT:  catcher() {
// CHECK-NEXT:    thrower() {
// CHECK-NEXT:      tidy();
// CHECK-NEXT:    } /* thrower left */
// CHECK-NEXT:    next();
// CHECK-NEXT:    tidy();
// CHECK-NEXT:  }
