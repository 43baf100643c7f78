// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that call traced functions of every kind and check each result. When they end, as many
// calls must have been seen in them as bodies have run.

#include "torture.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <stdexcept>
#include <ucontext.h>

thread_local long seen, overridden;

// Its callback runs in the thread that calls, handlers included.
GENERAL_REGS void see(unsigned long, unsigned long, ftrace_ops *, ftrace_regs *) {
  COUNT(seen);
}

// The function might take years to count such a number down.
void wrong_argument(const char *function, long argument) {
  fail(fmt::format("{} was passed {:#x}", function, argument));
  std::abort();
}

static thread_local volatile long handled;
void on_alarm(int) {
  int error = errno;
  in_handler();
  handled = handled + 1;
  errno = error;
}

namespace {

// Sanitizers' functions may use vector registers, and the runtime calls them on its way:
// AddressSanitizer's where events are written.
bool keeps_vectors() {
#if __has_feature(thread_sanitizer)
  return false;
#elif __has_feature(address_sanitizer)
  static const char *const settings = std::getenv("NOPHOOK");
  return !settings || !std::strstr(settings, "buffer_dir");
#else
  return true;
#endif
}

struct Fiber {
  ucontext_t main, own;
  char stack[64 << 10];
};
thread_local Fiber *fiber;
void run_fiber() {
  for (;;) {
    expected(3, leaf(2), "leaf in a fiber");
    swapcontext(&fiber->own, &fiber->main);
  }
}

void call_some(std::mt19937_64 &random) {
  switch (random() % 15) {
  case 0:
    expected(21, recursive(20), "recursive");
    break;
  case 1:
    expected(285, stack_arguments(1, 2, 3, 4, 5, 6, 7, 8, 9), "stack_arguments");
    break;
  case 2:
    if (double got = keeps_vectors() ? doubles(0.5, 0.25f, 2) : 2.75; got != 2.75)
      fail(fmt::format("doubles is {}, not 2.75", got));
    break;
  case 3:
    expected(10, variadic(4, 1L, 2L, 3L, 4L), "variadic");
    break;
  case 4:
    expected(7, tail_call(50), "tail_call");
    break;
  case 5:
    try {
      thrower(5);
      fail("nothing was thrown");
    } catch (const std::runtime_error &) {
    }
    break;
  case 6: {
    jmp_buf back;
    if (!setjmp(back))
      jumper(&back, 5);
    break;
  }
  case 7:
    swapcontext(&fiber->main, &fiber->own);
    break;
  case 8: {
    long got = redirected(1);
    if (got != 2 && got != 1001)
      fail(fmt::format("redirected is {}", got));
    break;
  }
  case 9: {
    long got = modified(1);
    if (got != 2 && got != 1001 && got != 77)
      fail(fmt::format("modified is {}", got));
    break;
  }
  case 10:
    expected(2, direct(1), "direct");
    break;
  case 11:
    call_library();
    break;
  case 12:
    for (long i = 0; i < 20; i++)
      expected(i + 1, unwatched(i), "unwatched");
    break;
  case 13:
    if (nested)
      expected(8, nested(5), "nested");
    break;
  default:
    for (long i = 0; i < 20; i++)
      expected(i + 1, leaf(i), "leaf");
  }
}

} // namespace

void caller(unsigned number, uint64_t seed, bool blocks) {
  sigset_t all = all_signals();
  if (blocks)
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
  std::mt19937_64 random(seed);
  fiber = new Fiber;
  getcontext(&fiber->own);
  fiber->own.uc_stack.ss_sp = fiber->stack;
  fiber->own.uc_stack.ss_size = sizeof fiber->stack;
  fiber->own.uc_link = nullptr;
  makecontext(&fiber->own, run_fiber, 0);
  doing[number] = "calls";
  while (!over)
    call_some(random);
  pthread_sigmask(SIG_SETMASK, &all, nullptr); // no handler between the two counts
  if (seen != bodies + overridden)
    fail(fmt::format("thread {}: {} calls were seen, {} bodies ran, {} were overridden", number,
                     seen, bodies, overridden));
  total_calls += bodies;
  total_signals += handled;
  delete fiber;
}
