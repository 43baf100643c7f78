// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening and closing one site in a program that has hardly any other, while two threads run
// through it. The public interface names functions, and so searches symbols: with a dozen of them
// the search is small beside the patching, and the rest is the cost of a batch of one. An ops names
// the site by its address, without a search. In microseconds, on the wall clock.
//
// Floor: open a page of text, write a word, serialise the cores, close it.

#include "callers.h"

#include <ftrace.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>

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

UNTRACED static void no_callback(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
                                 struct ftrace_regs *regs) {
  (void)ip, (void)parent, (void)ops, (void)regs;
}

static struct samples address_alone = {.name = "address_alone"};
static struct samples address_threads = {.name = "address_threads"};

static void toggle_by_address(struct samples *samples) {
  static struct ftrace_ops ops = {
      .func = no_callback, .flags = FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS};
  const char other[] = "main"; // without any function, the ops would have all functions
  ftrace_set_filter(&ops, (const unsigned char *)other, sizeof other - 1, 1);
  if (register_ftrace_function(&ops))
    give_up("the ops cannot be registered");
  for (int i = 0; i < 2 * kToggles; i++) {
    double start = now_ns();
    int error = ftrace_set_filter_ip(&ops, (unsigned long)leaf, i % 2, 0);
    add_sample(samples, (now_ns() - start) / 1e3);
    if (error)
      give_up("by address: %s", strerror(-error));
  }
  unregister_ftrace_function(&ops);
}

static struct samples floor_alone = {.name = "floor_alone"};
static struct samples floor_threads = {.name = "floor_threads"};

static void measure_floor(struct samples *samples) {
  int fd = open("/proc/self/exe", O_RDONLY);
  char *text = (char *)mmap(NULL, 3 * 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
  close(fd);
  if (text == MAP_FAILED)
    give_up("cannot map the program's text again");
  char *page = text + 4096; // in the middle, as a function is, so that the mapping is split
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
  bind_to_cpu(false);
  const char none[] = "no_such_function";
  ftrace_set_global_filter((const unsigned char *)none, sizeof none - 1, 1);
  if (tracing_set_tracer("function"))
    give_up("the function tracer cannot be set");
  map_buffer();
  toggle(&alone, &unchanged);
  toggle_by_address(&address_alone);
  measure_floor(&floor_alone);
  start_callers();
  toggle(&threads, &searched);
  toggle_by_address(&address_threads);
  measure_floor(&floor_threads);
  stop_callers();
  tracing_set_tracer("nop");
  struct samples *all[] = {&alone,         &unchanged,       &threads,     &searched,
                           &address_alone, &address_threads, &floor_alone, &floor_threads};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    print_samples(all[i]);
  return 0;
}
