// Whatever the options leave out, functions that keep their site keep their bytes.
// RUN: %clangxx -std=c++20 -O2 %instrument -c %s -o %t.all.o && %sites %t.all.o | FileCheck %s --check-prefix=ALL
// RUN: %objdump -d --no-leading-addr --disassemble-symbols=_Z4joinSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS5_EE %t.all.o | tail -n +3 > %t.all
// RUN: grep -c nopl %t.all
// RUN: echo 'fun:*small*' > %t.list
// RUN: %clangxx -std=c++20 -O2 %instrument %option-min-size=20 %option-only-exported %option-exclude=%t.list -c %s -o %t.some.o
// RUN: %sites %t.some.o | FileCheck %s
// RUN: %objdump -d --no-leading-addr --disassemble-symbols=_Z4joinSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS5_EE %t.some.o | tail -n +3 | diff %t.all -
// ALL: _Z5smalli
// CHECK-NOT: _Z5smalli
// CHECK: _Z4joinSt6vector
// CHECK-NOT: _Z5smalli
#include <string>
#include <vector>
int small(int x) { return x; }
std::string join(std::vector<std::string> names) {
  std::string all;
  for (auto &name : names) all += name + ",";
  return all;
}
