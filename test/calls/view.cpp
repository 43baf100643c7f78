// The page of `view` has readable names of calls into libraries, with the library behind them.
// RUN: %traced_cxx -O1 %s -o %t && %nophook record --calls -o %t.data %t
// RUN: %nophook view --output %t.html %t.data && FileCheck %s --input-file=%t.html --implicit-check-not=_Znwm
// CHECK-DAG: "operator new [libstdc++.so.6]"
#include <new>
[[gnu::noinline]] void *makes(unsigned long n) { return ::operator new(n); }
int main() { ::operator delete(makes(8)); }
