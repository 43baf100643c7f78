// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of one event: a function in a loop, untraced and under each tracer, beside the same loop
// of rdtsc, which is the floor of an event with a time stamp.
//
// A machine's clock rate and its neighbours change within seconds, so all kinds of loops take
// turns in one process, and the driver subtracts and divides within a round before it takes
// a median. Only the functions in kFilter have open sites; the loops around them do not.
//
//      events thread|between|mono|boot [ROUNDS]
//
// thread:  a reader thread on another core empties the buffer at the same time, as a recorder does
// between: the measured thread empties it after each loop
// mono:    the same with trace_clock=mono, for the tracers of leaf(): the counter, if that is even
// boot:    the same with trace_clock=boot, which takes a system call for each event

#include "support.h"

#include <ftrace.h>
#include <sys/syscall.h>
#include <tracefs.h>
#include <x86intrin.h>

enum { kCalls = 300000, kFib = 24, kFibCalls = 150049, kWarmCalls = 20000 };

static const char kFilter[] = "leaf fib eight_longs variadic numbers";

NOINLINE void leaf(void) {
  __asm__ volatile("");
}

NOINLINE long fib(long n) {
  if (n < 2)
    return n;
  long sum = fib(n - 1) + fib(n - 2);
  __asm__ volatile("" : "+r"(sum)); // keeps the second call from becoming a loop
  return sum;
}

// Two of the eight travel on the stack, so function_graph copies 16 bytes.
NOINLINE void eight_longs(long a, long b, long c, long d, long e, long f, long g, long h) {
  __asm__ volatile("" : : "r"(a + h), "r"(b + g), "r"(c + f), "r"(d + e));
}

// A function that gets an entry only: the number of arguments to copy is unknown.
NOINLINE void variadic(int n, ...) {
  __asm__ volatile("" : : "r"(n));
}

// A function with three arguments and a result, for recorded values.
NOINLINE int numbers(int a, long b, const void *c) {
  __asm__ volatile("" : "+r"(a) : "r"(b), "r"(c));
  return a;
}

static double loop_rdtsc(long calls) {
  uint64_t sum = 0;
  double start = now_ns();
  for (long i = 0; i < calls; i++)
    sum += __rdtsc();
  double end = now_ns();
  __asm__ volatile("" : : "r"(sum));
  return (end - start) / (double)calls;
}

static double boot_ns(void) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_BOOTTIME, &now);
  return (double)now.tv_nsec;
}

static double loop_clock(long calls) {
  double sum = 0, start = now_ns();
  for (long i = 0; i < calls; i++)
    sum += boot_ns();
  double end = now_ns();
  __asm__ volatile("" : : "x"(sum));
  return (end - start) / (double)calls;
}

// The least work for a call with three arguments and a result: two reads of the counter, and the
// stores of the recorded words, nine here. Nothing else of a tracer.
static double loop_values_floor(long calls) {
  static volatile uint64_t words[1024];
  double start = now_ns();
  for (long i = 0, at = 0; i < calls; i++, at = (at + 9) & 511) {
    words[at] = __rdtsc();
    words[at + 1] = (uint64_t)(uintptr_t)numbers;
    words[at + 2] = (uint64_t)(uintptr_t)__builtin_return_address(0);
    words[at + 3] = 1, words[at + 4] = (uint64_t)i, words[at + 5] = (uint64_t)(uintptr_t)&start;
    int result = numbers(1, i, &start);
    words[at + 6] = __rdtsc();
    words[at + 7] = (uint64_t)(uintptr_t)numbers, words[at + 8] = (uint64_t)result;
  }
  return (now_ns() - start) / (double)calls;
}

static double loop_leaf(long calls) {
  double start = now_ns();
  for (long i = 0; i < calls; i++)
    leaf();
  return (now_ns() - start) / (double)calls;
}

static double loop_fib(long calls) {
  double start = now_ns();
  long result = fib(calls > kWarmCalls ? kFib : kFib / 2);
  __asm__ volatile("" : : "r"(result));
  return (now_ns() - start) / kFibCalls;
}

static double loop_copy(long calls) {
  double start = now_ns();
  for (long i = 0; i < calls; i++)
    eight_longs(i, 1, 2, 3, 4, 5, 6, 7);
  return (now_ns() - start) / (double)calls;
}

static double loop_variadic(long calls) {
  double start = now_ns();
  for (long i = 0; i < calls; i++)
    variadic(1, i);
  return (now_ns() - start) / (double)calls;
}

static double loop_numbers(long calls) {
  double start = now_ns();
  for (long i = 0; i < calls; i++)
    numbers(1, i, &start);
  return (now_ns() - start) / (double)calls;
}

// A tracer of an instance. Its buffer is emptied between the loops, as the main one is by its
// reader; or it overwrites, and then the writer counts and zeroes the sub-buffers that it takes
// back.
#define INSTANCE "instances/bench/"

struct measurement {
  const char *tracer;
  double (*loop)(long calls);
  struct samples samples;
};

static struct measurement measurements[] = {
    {"nop", loop_rdtsc, {.name = "rdtsc"}},
    {"nop", loop_clock, {.name = "clock_gettime"}},
    {"nop", loop_leaf, {.name = "untraced/leaf"}},
    {"nop", loop_fib, {.name = "untraced/fib"}},
    {"nop", loop_copy, {.name = "untraced/copy"}},
    {"nop", loop_variadic, {.name = "untraced/entry_only"}},
    {"function", loop_leaf, {.name = "function/leaf"}},
    {"function", loop_fib, {.name = "function/fib"}},
    {"function_graph", loop_leaf, {.name = "graph/leaf"}},
    {"function_graph", loop_fib, {.name = "graph/fib"}},
    {"function_graph", loop_copy, {.name = "graph/copy"}},
    {"function_graph", loop_variadic, {.name = "graph/entry_only"}},
    {"profile", loop_leaf, {.name = "profile/leaf"}},
    {"profile", loop_fib, {.name = "profile/fib"}},
    {"hits", loop_leaf, {.name = "hits/leaf"}},
    {"hits", loop_fib, {.name = "hits/fib"}},
    {"nop", loop_numbers, {.name = "untraced/values"}},
    {"nop", loop_values_floor, {.name = "floor/values"}},
    {"function", loop_numbers, {.name = "function/values"}},
    {"function_graph", loop_numbers, {.name = "graph/values"}},
    {INSTANCE "function", loop_leaf, {.name = "instance/function"}},
    {INSTANCE "function_graph", loop_leaf, {.name = "instance/graph"}},
    {INSTANCE "function_graph", loop_leaf, {.name = "instance/overwriting"}},
};
enum { kMeasurements = sizeof measurements / sizeof measurements[0] };

static void write_file(const char *path, const char *text) {
  int error = tracefs_write(path, text, strlen(text), 0);
  if (error)
    give_up("%s to %s: %s", text, path, strerror(-error));
}

static void set_tracer(const char *name) {
  int error = tracing_set_tracer(name);
  if (error)
    give_up("tracing_set_tracer(\"%s\"): %s", name, strerror(-error));
}

// The options that make the tracer keep values, or null.
static const char *options_of(const struct measurement *m) {
  if (m->loop != loop_numbers || strcmp(m->tracer, "nop") == 0)
    return NULL;
  return strcmp(m->tracer, "function") == 0 ? "func-args" : "funcgraph-args,funcgraph-retval";
}

// Sets options, which hold for the tracer that is started next.
static void set_options(const char *options, int on) {
  char text[128];
  for (const char *at = options; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
    snprintf(text, sizeof text, "%s%.*s", on ? "" : "no", (int)strcspn(at, ","), at);
    write_file("trace_options", text);
  }
}

static void choose(const char *tracer) {
  const char *in_instance = strstr(tracer, INSTANCE);
  const char *name = in_instance ? "nop" : tracer;
  if (strcmp(tracing_get_tracer(), name) != 0)
    set_tracer(name);
  write_file(INSTANCE "current_tracer", in_instance ? tracer + strlen(INSTANCE) : "nop");
}

// Switches the mode, which empties the buffer.
static void overwrite_in_instance(const struct measurement *m) {
  int on = strcmp(m->samples.name, "instance/overwriting") == 0;
  write_file(INSTANCE "options/overwrite", on ? "0" : "1");
  write_file(INSTANCE "options/overwrite", on ? "1" : "0");
}

// Measures one loop. Its first calls take the slow path: a new tracer, a new sub-buffer.
static void measure(struct measurement *m, int read_between) {
  const char *options = options_of(m);
  if (options)
    set_options(options, 1);
  if (strstr(m->tracer, INSTANCE))
    overwrite_in_instance(m);
  choose(m->tracer);
  m->loop(kWarmCalls);
  add_sample(&m->samples, m->loop(kCalls));
  if (options)
    set_tracer("nop"), set_options(options, 0);
  if (read_between)
    drain_buffer();
}

// Whether a loop is measured: with a chosen clock, only a few are.
static int is_measured(const struct measurement *m, int has_clock) {
  return !has_clock || m->loop == loop_clock || m->loop == loop_rdtsc ||
         (m->loop == loop_leaf && !strstr(m->tracer, INSTANCE) &&
          strcmp(m->tracer, "profile") != 0);
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  int has_clock = strcmp(mode, "mono") == 0 || strcmp(mode, "boot") == 0;
  int read_between = has_clock || strcmp(mode, "between") == 0;
  int rounds = argc > 2 ? atoi(argv[2]) : 31;
  ftrace_set_global_filter((const unsigned char *)kFilter, sizeof kFilter - 1, 1);
  if (has_clock)
    write_file("trace_clock", mode);
  set_tracer("function");
  set_tracer("nop");
  map_buffer();
  if (tracefs_mkdir("instances/bench"))
    give_up("there can be no instance");
  write_file(INSTANCE "set_ftrace_filter", "leaf");
  if (!read_between)
    start_reader();
  for (int round = 0; round <= rounds; round++) {
    for (int i = 0; i < kMeasurements; i++)
      if (is_measured(&measurements[i], has_clock))
        measure(&measurements[i], read_between);
    if (round == 0) // the first round has paid for the buffer's memory
      for (int i = 0; i < kMeasurements; i++)
        measurements[i].samples.count = 0;
  }
  set_tracer("nop");
  for (int i = 0; i < kMeasurements; i++)
    print_samples(&measurements[i].samples);
  printf("lost %.0f\n", lost_events());
  if (!read_between)
    stop_reader();
  return 0;
}
