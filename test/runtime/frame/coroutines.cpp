// A million symmetric transfers between coroutines run traced without growing the stack.
// RUN: %traced_cxx -O2 %s -o %t && %t && %trace -k 65536 -- %t
#include "drain.h"
#include <coroutine>
#include <exception>
#include <utility>

struct Task {
  struct promise_type {
    std::coroutine_handle<> waiter;
    Task get_return_object() { return Task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    struct Final {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> done) noexcept {
        return done.promise().waiter ? done.promise().waiter : std::noop_coroutine();
      }
      void await_resume() noexcept {}
    };
    Final final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
  explicit Task(std::coroutine_handle<promise_type> h) : handle(h) {}
  Task(Task &&other) : handle(std::exchange(other.handle, nullptr)) {}
  ~Task() { if (handle) handle.destroy(); }
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter) {
    handle.promise().waiter = waiter;
    return handle;
  }
  void await_resume() {}
};
static long count;
NOINLINE static Task leaf() { count++; co_return; }
NOINLINE static Task loop(int n) { for (int i = 0; i < n; i++) co_await leaf(); }

int main() {
  int traced = drain_start();
  Task task = loop(1000000);
  task.handle.resume();
  EXPECT_EQ(count, 1000000);
  if (traced) {
    drain_finish();
    EXPECT(drained_events[NOPHOOK_EVENT_TAIL] + drain_lost() > 1000000);
  }
  return failures;
}
