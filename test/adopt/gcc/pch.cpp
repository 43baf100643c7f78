// A header precompiled by g++ is used, and what includes it has its sites.
// RUN: rm -rf %t && split-file %s %t && cd %t && %cxx -O2 head.h && %cxx -O2 -Winvalid-pch -H -include head.h -c main.cpp 2> used
// RUN: grep -q '^! .*head.h.gch' %t/used
// RUN: cd %t && %cxx -O2 -Winvalid-pch -include head.h main.cpp -o a && ./a && %nophook list --summary a | FileCheck %s
// CHECK: 2 functions: 2 call-through
//--- head.h
[[gnu::noinline]] inline int work(int x) { asm volatile("" : "+r"(x)); return x * 3; }
//--- main.cpp
int main() { return work(0); }
