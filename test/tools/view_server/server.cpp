// What the page of `view` gets is what other readers of the recording have: of threads, recursion, exceptions; while the index is made, from the index, from an index that was cut, and where the index cannot be written.
// RUN: %traced_cxx -O1 -I%include %s -o %t && %nophook record --args --retval -o %t.data -- %t
// RUN: rm -f %t.data.index && %python %S/Inputs/check_view.py %nophook %t.data | FileCheck %s
// RUN: ls %t.data.index && %python %S/Inputs/check_view.py %nophook %t.data | FileCheck %s
// RUN: head -c 5000 %t.data.index > %t.cut && mv %t.cut %t.data.index && %python %S/Inputs/check_view.py %nophook %t.data | FileCheck %s
// RUN: %python %S/Inputs/check_view.py %nophook %t.data refuses | FileCheck %s --check-prefix=REFUSES
// RUN: rm %t.data.index && %python %S/Inputs/check_view.py %nophook %t.data full | FileCheck %s --check-prefix=FULL
// CHECK: calls: the same
// FULL: served without an index
// REFUSES: refused as it should
#include <trace_marker.h>
#include <stdexcept>
#include <string>
#include <thread>
[[gnu::noinline]] int leaf(int n) { asm volatile("" : "+r"(n)); return n + 1; }
[[gnu::noinline]] int recursive(int n) { return n ? recursive(n - 1) + leaf(n) : 0; }
[[gnu::noinline]] int lookup(int key) { for (int i = 0; i < key % 50; i++) leaf(i); return key + 1; }
[[gnu::noinline]] void thrower(int n) { leaf(n); if (n % 3 == 0) throw std::runtime_error("third"); }
[[gnu::noinline]] int serve(int n) {
  try { thrower(n); } catch (std::runtime_error &) { leaf(n); }
  recursive(n % 9);
  return lookup(n) + 1;
}
static void work(int n) { for (int i = 0; i < n; i++) serve(i); }
int main() {
  std::thread first(work, 1000), second(work, 200);
  first.join();
  second.join();
  trace_puts("half of it is done");
  work(100);
}
