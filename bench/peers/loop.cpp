// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls the functions of functions.cpp, which a tool traces, and prints the nanoseconds of a call,
// the first bytes of leaf() after it, which show what a tool has made of them, and the page faults
// during the calls. With `wait` the program then waits until its standard input ends, so that its
// memory can be looked at.
//
//      PROGRAM KIND CALLS [wait]
//
// leaf, values, deep (64 frames), throw (through three frames), 1, 2, 4 (so many threads, of CALLS
// each); floor, floor2, floor4: a call and two reads of the time-stamp counter, which a pair of
// events contains, by one thread or so many. One thread is bound to one CPU and has real-time
// priority, where that is allowed.

#include "functions.h"

#include "../support.h"

#include <sys/resource.h>
#include <thread>
#include <vector>
#include <x86intrin.h>

namespace {

constexpr long kDepth = 64, kWarmCalls = 1000;
constexpr int kSiteBytes = 9; // endbr64 and a NOP of five bytes

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

long page_faults() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

double time_of(void (*loop)(long), long calls) {
  bind_to_last_cpu();
  loop(kWarmCalls);
  const double start = now_ns();
  loop(calls);
  return (now_ns() - start) / (double)calls;
}

double time_of_threads(void (*loop)(long), int count, long calls) {
  std::vector<std::thread> threads;
  const double start = now_ns();
  for (int i = 0; i < count; i++)
    threads.emplace_back(loop, calls);
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
  if (count != 3 && count != 4)
    return 2;
  const long calls = atol(arguments[2]);
  const long faults = page_faults();
  double ns = 0;
  const bool is_floor = strncmp(arguments[1], "floor", 5) == 0;
  if (int threads = atoi(arguments[1] + (is_floor ? 5 : 0)))
    ns = time_of_threads(is_floor ? call_with_floor : call_leaf, threads, calls);
  for (const auto &one : kLoops)
    if (strcmp(one.name, arguments[1]) == 0)
      ns = time_of(one.loop, calls);
  printf("%.3f\nfaults %ld\nsite", ns, page_faults() - faults);
  for (int i = 0; i < kSiteBytes; i++)
    printf(" %02x", ((const volatile uint8_t *)leaf)[i]);
  printf("\n");
  fflush(stdout);
  char byte;
  return ns == 0 || (count == 4 && read(STDIN_FILENO, &byte, 1) != 0);
}
