// A call that an exception, or the end of its thread, ends is a hit without a time.
// RUN: %traced_cxx %s -o %t && %nophook record -p profile -o %t.data -- %t && %nophook report --sort function %t.data | FileCheck %s
#include <pthread.h>
#define SEEN __attribute__((noinline))
#define KEEP(value) __asm__ volatile("" : : "g"(value) : "memory")
SEEN static void returns(int n) { KEEP(n); }
SEEN static void may_throw(int n) { if (n % 4 == 0) throw n; KEEP(n); }
SEEN static void passes(int n) { may_throw(n); KEEP(n); }
SEEN static void *ends(void *unused) { returns(1); KEEP(unused); pthread_exit(unused); }
SEEN static void catches(int n) { try { passes(n); } catch (int) { returns(n); } }
int main() {
  for (int i = 0; i < 8; i++)
    catches(i);
  pthread_t thread;
  return pthread_create(&thread, nullptr, ends, nullptr) || pthread_join(thread, nullptr);
}
// CHECK: {{^ +}}catches 8 {{[0-9.]+}} us
// CHECK-NEXT: {{^ +}}ends 1 0.000 us
// CHECK-NEXT: {{^ +}}main 1 {{[0-9.]+}} us
// CHECK-NEXT: {{^ +}}may_throw 8 {{[0-9.]+}} us
// CHECK-NEXT: {{^ +}}passes 8 {{[0-9.]+}} us
// CHECK-NEXT: {{^ +}}returns 3 {{[0-9.]+}} us
