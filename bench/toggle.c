// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening and closing one site in a program that has hardly any other, while two threads run
// through it. The public interface names functions, and so searches symbols: with a dozen of
// them the search is small beside the patching, and what is left is the cost of a batch of
// one. In microseconds, on the wall clock.
//
// Floor: open a page of text, write a word, serialise the cores, close it.

#include "support.h"

#include <ftrace.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>

enum { kToggles = 250, kThreads = 2 };

NOINLINE void leaf(void) {
  __asm__ volatile("");
}

static int threads_stop;

static void *call_leaf(void *unused) {
  while (!__atomic_load_n(&threads_stop, __ATOMIC_RELAXED))
    leaf();
  return unused;
}

static void set_filter(const char *name, struct samples *samples) {
  double start = now_ns();
  int error = ftrace_set_global_filter((const unsigned char *)name, (int)strlen(name), 1);
  double end = now_ns();
  if (error)
    give_up("filter: %s", strerror(-error));
  add_sample(samples, (end - start) / 1e3);
  drain_buffer();
}

static struct samples alone = {.name = "alone"}, unchanged = {.name = "unchanged"};
static struct samples threads = {.name = "threads"}, searched = {.name = "searched"};

// A change, and a call of the same function that finds nothing to change.
static void toggle(struct samples *change, struct samples *nothing) {
  for (int i = 0; i < kToggles; i++) {
    set_filter("leaf", change);
    set_filter("leaf", nothing);
    set_filter("no_such_function", change);
    set_filter("no_such_function", nothing);
  }
}

static struct samples floor_alone = {.name = "floor_alone"};
static struct samples floor_threads = {.name = "floor_threads"};

static void measure_floor(struct samples *samples) {
  int fd = open("/proc/self/exe", O_RDONLY);
  char *text = (char *)mmap(NULL, 3 * 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
  close(fd);
  if (text == MAP_FAILED)
    give_up("cannot map the program's text again");
  char *page = text + 4096; // in the middle, as a function is: the mapping is split
  for (int i = 0; i <= kToggles; i++) {
    double start = now_ns();
    mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
    __atomic_store_n((uint64_t *)page, (uint64_t)i, __ATOMIC_RELEASE);
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
    mprotect(page, 4096, PROT_READ | PROT_EXEC);
    if (i > 0) // the first one copies the page
      add_sample(samples, (now_ns() - start) / 1e3);
  }
  munmap(text, 3 * 4096);
}

int main(void) {
  const char none[] = "no_such_function";
  ftrace_set_global_filter((const unsigned char *)none, sizeof none - 1, 1);
  if (tracing_set_tracer("function"))
    give_up("the function tracer cannot be set");
  map_buffer();
  toggle(&alone, &unchanged);
  measure_floor(&floor_alone);
  pthread_t running[kThreads];
  for (int i = 0; i < kThreads; i++)
    pthread_create(&running[i], NULL, call_leaf, NULL);
  sleep_ms(10);
  toggle(&threads, &searched);
  measure_floor(&floor_threads);
  __atomic_store_n(&threads_stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < kThreads; i++)
    pthread_join(running[i], NULL);
  tracing_set_tracer("nop");
  print_samples(&alone);
  print_samples(&unchanged);
  print_samples(&threads);
  print_samples(&searched);
  print_samples(&floor_alone);
  print_samples(&floor_threads);
  return 0;
}
