// Methods, constructors, thunks, lambdas, templates and coroutine parts of C++ have sites.
// RUN: %clangxx -std=c++20 -O1 -fno-inline %instrument -c %s -o %t.o
// RUN: %objdump -d --no-show-raw-insn --demangle %t.o | FileCheck %s
#include <coroutine>
struct Base { virtual int f() { return 1; } };
struct Other { virtual int g() { return 2; } };
struct Both : Base, Other { Both(int x); int g() override; int value; };
// CHECK-DAG: <Both::Both(int)>:{{[[:space:]]+}}{{[0-9a-f]+}}: nopl 0x8(%rax,%rax)
Both::Both(int x) : value(x) {}
// CHECK-DAG: <non-virtual thunk to Both::g()>:{{[[:space:]]+}}{{[0-9a-f]+}}: nopl 0x8(%rax,%rax)
int Both::g() { return value; }
// CHECK-DAG: <int twice<int>(int)>:{{[[:space:]]+}}{{[0-9a-f]+}}: nopl 0x8(%rax,%rax)
template <class T> T twice(T x) { return x + x; }
// CHECK-DAG: <use(int)::$_0::operator()(int) const>:{{[[:space:]]+}}{{[0-9a-f]+}}: nopl 0x8(%rax,%rax)
int use(int x) { return [](int y) { return y * 3; }(x) + twice(x) + Both(x).f(); }
struct Task { struct promise_type {
  Task get_return_object() { return {}; }
  std::suspend_always initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {} void unhandled_exception() {} }; };
// CHECK-DAG: <{{.*}}coroutine(int){{.*resume.*}}>:{{[[:space:]]+}}{{[0-9a-f]+}}: nopl 0x8(%rax,%rax)
Task coroutine(int x) { use(x); co_return; }
