// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts that both files of the C++20 program share: inline code and templates that each of them emits, and a class
// hierarchy whose thunks are in one of them.
#pragma once
#include <coroutine>
#include <string>

#define NOINLINE __attribute__((noinline))

NOINLINE inline int shared_inline(int x) { return x + 1; }
template <class T> NOINLINE T shared_template(T x) { return x + T(1); }

struct Left {
  virtual ~Left() = default;
  virtual Left *same() { return this; }
  virtual int left() { return 1; }
};
struct Right {
  virtual ~Right() = default;
  virtual Right *same() { return this; }
  virtual int right() { return 2; }
};
struct Virtual {
  virtual ~Virtual() = default;
  virtual int deep() { return 3; }
};
// Thunks: right() adjusts `this`, same() also what it returns, deep() both by the vtable.
struct Both : Left, Right, virtual Virtual {
  int value = 4;
  Both();
  Both *same() override;
  int right() override;
  int deep() override;
};

struct Task {
  struct promise_type {
    int result = 0;
    Task get_return_object() { return Task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int x) { result = x; return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
  int next() { handle.resume(); return handle.promise().result; }
};

int from_other_file(int x);
Task count_to(int n);
extern thread_local std::string per_thread;
