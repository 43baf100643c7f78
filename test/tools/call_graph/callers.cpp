// graph FUNCTION of the function tracer finds a function that is known as a caller only, by each form of its name, with what it called.
// RUN: %traced_cxx %s -o %t && %nophook record -p function -l leaf -o %t.data -- %t
// RUN: %nophook graph Store::get %t.data | FileCheck %s
// RUN: %nophook graph 'app::*::g*' %t.data | FileCheck %s
// RUN: %nophook graph 'app::Store::get(int)' %t.data | FileCheck %s
// RUN: %nophook graph --callers leaf %t.data | FileCheck %s --check-prefix=CALLERS
// RUN: not %nophook graph put %t.data 2>&1 | FileCheck %s --check-prefix=NONE
#define SEEN __attribute__((noinline))
SEEN int leaf(int n) { asm volatile("" : "+r"(n)); return n; }
namespace app {
struct Store {
  SEEN int get(int n) { return leaf(n) + leaf(n + 1); }
};
}
int main() {
  app::Store store;
  return store.get(1) + store.get(2) + leaf(0) - 8;
}
// CHECK-NOT: main
// CHECK: {{^ +}}4 {{ *}}app::Store::get
// CHECK-NEXT: {{^ +}}4 {{ *}}leaf
// CHECK-NOT: leaf
// CALLERS: {{^ +}}5 {{ *}}leaf
// CALLERS-NEXT: {{^ +}}4 {{ *}}called by app::Store::get
// CALLERS-NEXT: {{^ +}}1 {{ *}}called by main
// NONE: no call of 'put' was recorded
