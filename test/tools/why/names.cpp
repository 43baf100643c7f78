// why finds C++ functions by any of their names, and those of libraries; each overload is answered.
// RUN: %traced_cxx -shared -fPIC -DLIBRARY %s -o %t.so && %clangxx -g -shared -fPIC -DOTHER %s -o %t.other.so
// RUN: %traced_cxx %s %t.so %t.other.so -Wl,-rpath,/ -o %t
// RUN: %nophook why two %t | FileCheck %s --check-prefix=BOTH
// RUN: %nophook why ns::two %t | FileCheck %s --check-prefix=BOTH
// RUN: %nophook why "ns::two(int)" %t | FileCheck %s --check-prefix=INT --implicit-check-not=char
// RUN: %nophook why _ZN2ns3twoEi %t | FileCheck %s --check-prefix=INT --implicit-check-not=char
// RUN: %nophook why "Shape::area" %t | FileCheck %s --check-prefix=METHOD
// RUN: %nophook why in_library %t | FileCheck %s --check-prefix=LIBRARY
// RUN: %nophook why in_other %t | FileCheck %s --check-prefix=OTHER
extern "C" int in_library(int n);
extern "C" int in_other(int n);
#ifdef LIBRARY
int in_library(int n) { return n + 1; }
#elif defined(OTHER)
int in_other(int n) { return n + 1; }
#else
namespace ns {
[[gnu::noinline]] int two(int n) { asm volatile("" : "+r"(n)); return n; }
[[gnu::noinline]] int two(char c) { asm volatile("" : "+r"(c)); return c; }
}
struct Shape { int side; int area() const; };
int Shape::area() const { return side * side; }
int main() { return ns::two(1) + ns::two('a') + Shape{3}.area() + in_library(1) + in_other(2) == 0; }
#endif
// BOTH-DAG: ns::two(int): traceable
// BOTH-DAG: ns::two(char): traceable
// INT: ns::two(int): traceable: function and function_graph
// METHOD: Shape::area() const: traceable
// LIBRARY: in_library: traceable: it is in {{.*}}names.cpp.tmp.so, see nophook why there
// OTHER: in_other: not traceable: it is in {{.*}}names.cpp.tmp.other.so, which has no traceable functions
