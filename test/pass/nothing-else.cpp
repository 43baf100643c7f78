// Apart from the NOPs, the plugin changes no instruction.
// RUN: %clangxx -std=c++20 -O2 %instrument -S %s -o %t.with.s
// RUN: %clangxx -std=c++20 -O2 -S %s -o %t.without.s
// RUN: grep -c 'nopl.8(%%rax,%%rax)' %t.with.s | FileCheck %s
// RUN: grep -P '^\t[a-z]' %t.with.s | grep -v 'nopl.8(%%rax,%%rax)' > %t.with
// RUN: grep -P '^\t[a-z]' %t.without.s > %t.without
// RUN: diff %t.without %t.with
#include <string>
#include <vector>
// CHECK: {{^([2-9]|[1-9][0-9]+)$}}
struct Base { virtual ~Base(); virtual int f(int x); };
int Base::f(int x) { return x; }
struct Other { virtual ~Other(); virtual int g(); };
struct Derived : Other, Base { int f(int x) override; int g() override { throw 1; } };
int Derived::f(int x) { return Base::f(x) + 1; }
int walk(const std::vector<std::string> &names, Base &base) {
  int sum = 0;
  for (const std::string &name : names) {
    try { sum += base.f(std::stoi(name)); } catch (...) { sum--; }
  }
  return sum;
}
std::string join(std::vector<std::string> names) {
  std::string all;
  for (auto &name : names) all += name + ",";
  return all;
}
