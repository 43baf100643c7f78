// A header is precompiled, not linked, and what includes it has its sites.
// RUN: rm -rf %t.dir && split-file %s %t.dir && cd %t.dir
// RUN: cd %t.dir && %cxx -O1 -x c++-header head.h -o head.pch && %nophook c++ -O1 head.h -o head.h.gch
// RUN: cd %t.dir && %cxx -O1 -include-pch head.pch main.cpp -o a && ./a && %nophook list --summary a | FileCheck %s
// RUN: cd %t.dir && %cxx -O1 -include head.h main.cpp -o b && ./b && %nophook list --summary b | FileCheck %s
// CHECK: 2 functions: 2 call-through

//--- head.h
[[gnu::noinline]] inline int work(int x) { asm volatile("" : "+r"(x)); return x * 3; }
//--- main.cpp
int main() { return work(0); }
