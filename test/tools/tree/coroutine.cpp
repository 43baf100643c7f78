// The calls of coroutines, each time that one is resumed, are recorded as the program itself reports them.
// RUN: %traced_cxx %s -o %t && %python %S/../../support/same_tree.py %nophook %t 150
#include "../../support/selftree.h"
#include <coroutine>
#include <exception>
// Each time that a coroutine suspends ends a call: its own, when it is made, or the call of the function that resumes it.
struct Pause {
  UNTRACED bool await_ready() noexcept { return false; }
  UNTRACED void await_suspend(std::coroutine_handle<>) noexcept { tree_out(); }
  UNTRACED void await_resume() noexcept { tree_in("numbers(int) (.resume)"); }
};
struct Task {
  struct promise_type {
    UNTRACED Task get_return_object() {
      tree_in("numbers");
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    UNTRACED Pause initial_suspend() { return {}; }
    UNTRACED Pause final_suspend() noexcept { return {}; }
    UNTRACED void return_void() {}
    UNTRACED void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};
SEEN static void leaf(int n) {
  TREE;
  __asm__ volatile("" : "+r"(n));
}
SEEN static Task numbers(int n) {
  for (int i = 0; i < n; i++) {
    leaf(i);
    co_await Pause{};
  }
}
SEEN static void turn(Task &task) {
  TREE;
  leaf(0);
  task.handle.resume();
  leaf(1);
}
UNTRACED int main() {
  Task a = numbers(20), b = numbers(20);
  for (int i = 0; i < 20; i++)
    turn(a), turn(b);
  return tree_print();
}
