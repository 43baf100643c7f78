// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls the functions of functions.cpp, which a tool traces, and prints the nanoseconds of a call.
//
//      PROGRAM KIND CALLS
//
// leaf, values, deep (64 frames), throw (through three frames), 1, 2, 4 (so many threads, of CALLS
// each); floor: a call and two reads of the time-stamp counter, which a pair of events contains.
// One thread is bound to one CPU and has real-time priority, where that is allowed.

#include "functions.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <thread>
#include <time.h>
#include <vector>
#include <x86intrin.h>

namespace {

constexpr long kDepth = 64, kWarmCalls = 1000;

double now_ns() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

void call_leaf(long calls) {
  for (long i = 0; i < calls; i++)
    leaf(i);
}

void call_with_floor(long calls) {
  uint64_t sum = 0;
  for (long i = 0; i < calls; i++) {
    sum += __rdtsc();
    leaf(i);
    sum += __rdtsc();
  }
  asm volatile("" : : "r"(sum));
}

void call_numbers(long calls) {
  for (long i = 0; i < calls; i++)
    numbers(1, i, &calls);
}

void call_deep(long calls) {
  for (long i = 0; i < calls; i += kDepth)
    deep(kDepth);
}

void call_thrower(long calls) {
  for (long i = 0; i < calls; i++)
    try {
      thrower((int)i);
    } catch (int) {
    }
}

void bind_to_last_cpu() {
  cpu_set_t all, one;
  if (sched_getaffinity(0, sizeof all, &all) != 0)
    return;
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &all))
    last--;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  sched_setaffinity(0, sizeof one, &one);
  sched_param first = {1};
  (void)sched_setscheduler(0, SCHED_FIFO, &first); // refused, the spread shows it
}

double time_of(void (*loop)(long), long calls) {
  bind_to_last_cpu();
  loop(kWarmCalls);
  const double start = now_ns();
  loop(calls);
  return (now_ns() - start) / (double)calls;
}

double time_of_threads(int count, long calls) {
  std::vector<std::thread> threads;
  const double start = now_ns();
  for (int i = 0; i < count; i++)
    threads.emplace_back(call_leaf, calls);
  for (std::thread &thread : threads)
    thread.join();
  return (now_ns() - start) / (double)calls / count;
}

const struct {
  const char *name;
  void (*loop)(long);
} kLoops[] = {{"leaf", call_leaf},
              {"floor", call_with_floor},
              {"values", call_numbers},
              {"deep", call_deep},
              {"throw", call_thrower}};

} // namespace

int main(int count, char **arguments) {
  if (count != 3)
    return 2;
  const long calls = atol(arguments[2]);
  double ns = 0;
  if (int threads = atoi(arguments[1]))
    ns = time_of_threads(threads, calls);
  for (const auto &one : kLoops)
    if (strcmp(one.name, arguments[1]) == 0)
      ns = time_of(one.loop, calls);
  printf("%.3f\n", ns);
  return ns == 0;
}
