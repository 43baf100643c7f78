// Every tracer calls functions what their source does: overloads, templates, members, operators, constructors, lambdas, and what an exception passes.
// RUN: %traced_cxx -I%include %s -o %t && %nophook record -p function_graph -o %t.data -- %t
// RUN: %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration %t.data | FileCheck %s --check-prefix=GRAPH --match-full-lines --strict-whitespace
// RUN: %nophook report --json %t.data | FileCheck %s --check-prefix=JSON
// RUN: %nophook report --top=20 %t.data | FileCheck %s --check-prefix=TOP
// RUN: %nophook latency --trace 'shapes::*' --to '*(anonymous namespace)::thrower*' %t.data | FileCheck %s --check-prefix=LATENCY
// RUN: %nophook stack %t.data | FileCheck %s --check-prefix=STACK
// RUN: %nophook record -p function -o %t.data -- %t && %nophook report -O noirq-info %t.data | FileCheck %s --check-prefix=FUNCTION
// RUN: %nophook record -p profile -o %t.data -- %t && %nophook report --sort function %t.data | FileCheck %s --check-prefix=PROFILE
// RUN: %nophook record -p hits -o %t.data -- %t && %nophook report --sort function %t.data | FileCheck %s --check-prefix=HITS --match-full-lines
// RUN: %nophook record -p nop -o %t.data -- %t && %nophook report %t.data | FileCheck %s --check-prefix=NOP
#include <trace_marker.h>
#define SEEN [[gnu::noinline, gnu::used]]
#define KEEP(value) __asm__ volatile("" : : "g"(value) : "memory")
namespace shapes {
class Square {
public:
  SEEN explicit Square(int side) : side_(side) { KEEP(this); }
  SEEN int area() const { KEEP(this); return side_ * side_; }
  SEEN bool operator<(const Square &other) const { KEEP(this); return side_ < other.side_; }
private:
  int side_;
};
SEEN void draw(int n) { KEEP(n); }
SEEN void draw(const char *text) { KEEP(text); }
} // namespace shapes
template <class T, int kTimes> SEEN T repeat(T value) { KEEP(value); return value * kTimes; }
namespace {
SEEN void thrower(int n) { KEEP(n); throw n; }
}
int main() {
  shapes::Square small(1), large(2);
  auto lambda = [](int n) __attribute__((noinline)) { KEEP(n); };
  small.area();
  if (small < large)
    shapes::draw(1), shapes::draw("text");
  repeat<long, 3>(4), lambda(repeat<int, 2>(2));
  try { thrower(1); } catch (int) { trace_puts("caught"); }
}
//      GRAPH:main() {
// GRAPH-NEXT:  shapes::Square::Square();
// GRAPH-NEXT:  shapes::Square::Square();
// GRAPH-NEXT:  shapes::Square::area();
// GRAPH-NEXT:  shapes::Square::operator<();
// GRAPH-NEXT:  shapes::draw();
// GRAPH-NEXT:  shapes::draw();
// GRAPH-NEXT:  repeat<long, 3>();
// GRAPH-NEXT:  repeat<int, 2>();
// GRAPH-NEXT:  main::$_0::operator()();
// GRAPH-NEXT:  (anonymous namespace)::thrower() {
// GRAPH-NEXT:    /* caught */
// GRAPH-NEXT:  } /* (anonymous namespace)::thrower left */
// GRAPH-NEXT:}
// JSON: "function":"shapes::Square::operator<","depth":1
// JSON: "function":"repeat<long, 3>","depth":1
// TOP-DAG: {{ 2 +}}shapes::Square::Square{{$}}
// TOP-DAG: {{ 1 +}}main::$_0::operator(){{$}}
// TOP-DAG: {{ 1 +}}(anonymous namespace)::thrower{{$}}
// LATENCY: the longest of 1
// LATENCY-NEXT: shapes::Square::Square();
// LATENCY: (anonymous namespace)::thrower() {
// STACK: 0) {{.*}} shapes::Square::Square
// STACK-NEXT: 1) {{.*}} main
// FUNCTION: : shapes::Square::Square <-main
// FUNCTION: : shapes::Square::operator< <-main
// FUNCTION: : repeat<int, 2> <-main
// FUNCTION-NEXT: : main::$_0::operator() <-main
// FUNCTION-NEXT: : (anonymous namespace)::thrower <-main
// FUNCTION-NEXT: : main: caught
// PROFILE: main 1
// PROFILE-NEXT: main::$_0::operator() 1
// PROFILE-NEXT: repeat<int, 2> 1
// PROFILE: shapes::Square::Square 2
// PROFILE: shapes::draw 1
// PROFILE-NEXT: shapes::draw 1
// HITS: main 1
// HITS-NEXT: main::$_0::operator() 1
// HITS-NEXT: repeat<int, 2> 1
// HITS-NEXT: repeat<long, 3> 1
// HITS-NEXT: shapes::Square::Square 2
// NOP: 1/1
// NOP: : main: caught
