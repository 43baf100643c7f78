// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of a call that a rate leaves out: a function in a loop, untraced, with a callback that
// does nothing, and under sample, ratelimit and auto_notrace of either tracer. All kinds take turns
// in one process, which empties its buffer after each.
//
//      rates [ROUNDS]

#include "support.h"

#include <ftrace.h>
#include <tracefs.h>

enum { kCalls = 20000 };

NOINLINE void leaf(void) {
  __asm__ volatile("");
}

UNTRACED static void empty(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
                           struct ftrace_regs *regs) {
  (void)ip, (void)parent_ip, (void)ops, (void)regs;
}
static struct ftrace_ops own = {.func = empty,
                                .flags = FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS};

UNTRACED static void write_file(const char *path, const char *text, int flags) {
  int error = tracefs_write(path, text, strlen(text), flags);
  if (error)
    give_up("%s to %s: %s", text, path, strerror(-error));
}

struct kind {
  const char *tracer, *filter, *auto_notrace;
  bool is_out; // the site is a NOP again
  struct samples samples;
};
static struct kind kinds[] = {
    {"nop", NULL, "0", false, {.name = "untraced"}},
    {"empty", NULL, "0", false, {.name = "empty"}},
    {"function", "leaf:sample:1000000", "0", false, {.name = "function/sample"}},
    {"function", "leaf:ratelimit:1/s", "0", false, {.name = "function/ratelimit"}},
    {"function", NULL, "10", false, {.name = "function/muted"}},
    {"function", NULL, "10", true, {.name = "function/out"}},
    {"function_graph", "leaf:sample:1000000", "0", false, {.name = "graph/sample"}},
    {"function_graph", "leaf:ratelimit:1/s", "0", false, {.name = "graph/ratelimit"}},
    {"function_graph", NULL, "10", false, {.name = "graph/muted"}},
    {"function_graph", NULL, "10", true, {.name = "graph/out"}},
};
enum { kKinds = sizeof kinds / sizeof kinds[0] };

UNTRACED static void change(const struct kind *kind, bool on) {
  if (strcmp(kind->tracer, "empty") == 0) {
    int error = on ? register_ftrace_function(&own) : unregister_ftrace_function(&own);
    if (error)
      give_up("the callback: %s", strerror(-error));
    return;
  }
  if (kind->filter) {
    char text[64] = "!";
    strcat(text, kind->filter);
    *strrchr(text, ':') = on ? ':' : 0;
    write_file("set_ftrace_filter", text + on, O_APPEND);
  }
  write_file("auto_notrace", on ? kind->auto_notrace : "0", 0);
  write_file("current_tracer", on ? kind->tracer : "nop", 0);
}

UNTRACED static double call(void) {
  double start = now_ns();
  for (int i = 0; i < kCalls; i++)
    leaf();
  return (now_ns() - start) / kCalls;
}

UNTRACED int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 31;
  ftrace_set_filter(&own, (const unsigned char *)"leaf", 4, 1);
  write_file("set_ftrace_filter", "leaf", 0);
  write_file("current_tracer", "function", 0);
  write_file("current_tracer", "nop", 0);
  map_buffer();
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < kKinds; i++) {
      change(&kinds[i], true);
      call();
      if (kinds[i].is_out)
        write_file("max_graph_depth", "0", 0);
      add_sample(&kinds[i].samples, call());
      change(&kinds[i], false);
      drain_buffer();
    }
  for (int i = 0; i < kKinds; i++)
    print_samples(&kinds[i].samples);
  return 0;
}
