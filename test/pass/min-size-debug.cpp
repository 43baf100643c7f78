// -g, -gline-tables-only and -fdebug-info-for-profiling never change which functions min-size keeps.
// RUN: %clangxx -std=c++20 -O0 %instrument %option-min-size=12 -c %s -o %t.o && %sites %t.o > %t.plain
// RUN: %clangxx -std=c++20 -O0 -g %instrument %option-min-size=12 -c %s -o %t.o && %sites %t.o | diff %t.plain -
// RUN: %clangxx -std=c++20 -O2 %instrument %option-min-size=12 -c %s -o %t.o && %sites %t.o > %t.plain
// RUN: FileCheck %s < %t.plain
// RUN: %clangxx -std=c++20 -O2 -g %instrument %option-min-size=12 -c %s -o %t.o && %sites %t.o | diff %t.plain -
// RUN: %clangxx -std=c++20 -O2 -gline-tables-only %instrument %option-min-size=12 -c %s -o %t.o && %sites %t.o | diff %t.plain -
// RUN: %clangxx -std=c++20 -O2 -g -fdebug-info-for-profiling %instrument %option-min-size=12 -c %s -o %t.o && %sites %t.o | diff %t.plain -
#include <map>
#include <string>
// CHECK-NOT: _Z5smallii
// CHECK: _Z5countRKSt3mapI
// CHECK-NOT: _Z5smallii
int count(const std::map<std::string, int> &all) {
  int sum = 0;
  for (const auto &[name, value] : all) sum += value * int(name.size());
  return sum;
}
// Ten variables, of which each is an instruction or two more with -g.
int small(int x, int y) {
  int a = x * 2, b = a + y, c = b - x, d = c ^ y, e = d & 7, f = e | a, g = f + b, h = g - c;
  return (void)h, d;
}
