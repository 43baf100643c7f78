// Calls that an exception leaves are closed with their names, and the tree goes on from its handler.
// RUN: %traced_cxx %s -o %t && %nophook record -o %t.data -- %t
// RUN: %nophook report %t.data | FileCheck %s
[[gnu::noinline]] void leaf(int n) { asm volatile("" : "+r"(n)); }
[[gnu::noinline]] void thrower(int n) { leaf(n); if (n) throw n; }
[[gnu::noinline]] void between(int n) { thrower(n); leaf(n); }
int main() {
  try {
    between(1);
  } catch (int) {
  }
  leaf(2);
}
// CHECK: |  main() {
// CHECK-NEXT: |    between() {
// CHECK-NEXT: |      thrower() {
// CHECK-NEXT: |        leaf();
// CHECK-NEXT: |      } /* thrower left */
// CHECK-NEXT: |    } /* between left */
// CHECK-NEXT: |    leaf();
// CHECK-NEXT: |  }
// CHECK-NOT: {{.}}
