// --srcline shows file and line where each function begins, in all outputs, also from a debug file.
// RUN: %traced_cxx %s -o %t && %nophook record -o %t.data -- %t
// RUN: %nophook report --srcline %t.data | FileCheck %s --check-prefix=GRAPH
// RUN: %nophook report --srcline --top %t.data | FileCheck %s --check-prefix=TOP
// RUN: %nophook report --srcline --json %t.data | FileCheck %s --check-prefix=JSON
// RUN: %objcopy --only-keep-debug %t %t.debug && %strip --strip-debug %t && %objcopy --add-gnu-debuglink=%t.debug %t
// RUN: %nophook report --srcline %t.data | FileCheck %s --check-prefix=GRAPH
// RUN: rm %t.debug && %nophook report --srcline %t.data | FileCheck %s --check-prefix=NONE --implicit-check-not=.cpp:
// RUN: %traced_cxx %s -o %t && %nophook record -p function -o %t.data -- %t
// RUN: %nophook report --srcline %t.data | FileCheck %s --check-prefix=FUNCTION
namespace ns {
[[gnu::noinline]] int leaf(int n) { asm volatile("" : "+r"(n)); return n; }
}
#line 100 "other.h"
[[gnu::noinline]] int
outer(int n)
{ return ns::leaf(n) + ns::leaf(n + 1); }
int main(int count, char **) { return outer(count) - 3; }
// GRAPH: {{\|  }}main() { /* other.h:103 */
// GRAPH-NEXT: {{\|    }}outer() { /* other.h:101 */
// GRAPH-NEXT: {{\|      }}ns::leaf(); /* srcline.cpp:12 */
// TOP-DAG: ns::leaf /* srcline.cpp:12 */
// TOP-DAG: outer /* other.h:101 */
// JSON: "function":"ns::leaf","file":"{{/.*}}srcline.cpp","line":12
// NONE: {{\|      }}ns::leaf();{{$}}
// FUNCTION: outer <-main /* other.h:101 */
