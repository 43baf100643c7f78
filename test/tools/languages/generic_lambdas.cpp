// Generic lambdas have readable names, in reports and in their filters, as other functions do.
// RUN: %traced_cxx %s -o %t && %nophook record -a -l '*::operator()*' -o %t.data -- %t && %nophook report %t.data | FileCheck %s
// RUN: %nophook report --json --function 'outer(int)::$_*::operator()<int*>' %t.data | FileCheck %s --check-prefix=JSON
// RUN: %nophook record -l 'outer(int)::$_*::operator()<int*>' -o %t.data -- %t && %nophook report --json %t.data | FileCheck %s --check-prefix=JSON
// RUN: %nophook list %t | FileCheck %s --check-prefix=LIST
#define SEEN __attribute__((noinline))
#define KEEP(value) __asm__ volatile("" : : "g"(value) : "memory")
template <class T> struct Pair { T a, b; };
static int outer(int n) {
  auto twice = [n](auto value) SEEN -> Pair<decltype(value)> { KEEP(value); KEEP(n); return {value, value}; };
  return twice(&n).a == &n && twice(n).b == n;
}
int main() {
  auto one = [](auto value) SEEN { KEEP(value); return value; };
  return one('x') != 'x' || !outer(one(1));
}
// CHECK: main::$_{{[0-9]}}::operator()<char>(
// CHECK-NEXT: main::$_{{[0-9]}}::operator()<int>(
// CHECK-NEXT: outer(int)::$_{{[0-9]}}::operator()<int*>(
// CHECK-NEXT: outer(int)::$_{{[0-9]}}::operator()<int>(
// JSON: "function":"outer(int)::$_{{[0-9]}}::operator()<int*>"
// JSON-NOT: "function":"main
// LIST: outer(int)::$_{{[0-9]}}::operator()<int*>(int*) const
// LIST-NOT: _Z
