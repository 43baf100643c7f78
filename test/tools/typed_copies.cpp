// A copy of a function that gcc has made is meant by the function's name, and by the name that `list` shows.
// REQUIRES: gcc
// RUN: env NOPHOOK_CXX=g++ %nophook c++ -O2 %s -o %t && %nophook list %t | sed -n 's/.* \(ns::.*\)/\1/p' > %t.name
// RUN: FileCheck %s < %t.name && %python %inputs/each_name.py %nophook %t -- work ns::work 'ns::work(int)' @%t.name = 'ns::work(int) (...'
// CHECK: ns::work(int) (.{{.*}}0)
namespace ns {
[[gnu::noinline]] static int work(int n) { asm volatile("" : "+r"(n)); return n + 1; }
}
int main() { return ns::work(1) - 2; }
