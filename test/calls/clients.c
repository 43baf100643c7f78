// Functions of libraries are functions for every client: callbacks, lists, filters, commands, events made
// by text, and the
// profiler.
// RUN: %traced_cc -I %support %s %lib/libnophook.so -Wl,-rpath,%lib -o %t && rm -rf %t.buffers && mkdir %t.buffers
// RUN: env NOPHOOK="buffer_dir=%t.buffers" %t profile && rm %t.buffers/*
// RUN: env NOPHOOK="buffer_dir=%t.buffers" %t hits && rm %t.buffers/*
// RUN: env NOPHOOK="buffer_dir=%t.buffers" %t && %nophook report %t.buffers | FileCheck %s
// CHECK: seeded: (srand [libc.so.6]) seed=77
// CHECK: drawn: (main+{{.*}} <- rand [libc.so.6])
#include "ops.h"
#include "tree.h"

#include <stdlib.h>

static unsigned long seen_ip, seen_seed;
UNTRACED static void look(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *regs) {
  (void)parent_ip;
  seen_ip = ip;
  seen_seed = ftrace_regs_get_argument(regs, 0);
  count_call(ip, parent_ip, ops, regs);
}

UNTRACED static void with_callbacks(void) {
  static struct Counted counted = COUNTED(0);
  counted.ops.func = look;
  EXPECT_EQ(set_filter(&counted.ops, "lib:sran*", 1), 0);
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  for (unsigned i = 0; i < 5; i++)
    srand(40 + i);
  EXPECT_EQ(calls_of(&counted), 5);
  EXPECT_EQ(seen_seed, 44);
  EXPECT(seen_ip != (unsigned long)srand);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  srand(1);
  EXPECT_EQ(calls_of(&counted), 0);
}

UNTRACED static void in_lists(void) {
  EXPECT(strstr(cat("available_filter_functions"), "srand [libc.so.6]\n"));
  EXPECT_EQ(echo("srand", "set_ftrace_filter", 0), 0);
  EXPECT_TEXT("set_ftrace_filter", "srand [libc.so.6]\n");
  EXPECT_EQ(echo("lib:rand", "set_ftrace_filter", 1), 0);
  EXPECT_EQ(echo("!lib:sran*", "set_ftrace_filter", 1), 0);
  EXPECT_TEXT("set_ftrace_filter", "rand [libc.so.6]\n");
  EXPECT_EQ(echo("lib:main", "set_ftrace_filter", 0), -EINVAL);
  EXPECT_EQ(echo("", "set_ftrace_filter", 0), 0);
}

UNTRACED static void with_commands(void) {
  EXPECT_EQ(echo("srand:traceoff:1", "set_ftrace_filter", 0), 0);
  EXPECT_TEXT("tracing_on", "1\n");
  srand(2);
  EXPECT_TEXT("tracing_on", "0\n");
  EXPECT_EQ(echo("1", "tracing_on", 0), 0);
  srand(2);
  EXPECT_TEXT("tracing_on", "1\n");
  EXPECT_EQ(echo("!srand:traceoff:0", "set_ftrace_filter", 1), 0);
}

UNTRACED static void by_events(void) {
  EXPECT_EQ(echo("p:calls/seeded srand seed=$arg1:u32", "kprobe_events", 1), 0);
  EXPECT_EQ(echo("r:calls/drawn rand", "kprobe_events", 1), 0);
  EXPECT_EQ(echo("1", "events/calls/enable", 0), 0);
  srand(77);
  (void)rand();
  EXPECT_EQ(echo("0", "events/calls/enable", 0), 0);
}

UNTRACED static void by_profiler(const char *tracer) {
  EXPECT_EQ(echo(tracer, "current_tracer", 0), 0);
  for (unsigned i = 0; i < 7; i++)
    srand(i);
  EXPECT_EQ(echo("nop", "current_tracer", 0), 0);
  const char *row = strstr(cat("trace_stat/function0"), "  srand [libc.so.6] ");
  unsigned long hits = 0;
  EXPECT(row && sscanf(row, " srand [libc.so.6] %lu", &hits) == 1);
  EXPECT_EQ(hits, 7);
}

int main(int count, char **words) { // a module has calls traced if it has sites
  EXPECT_EQ(echo("1", "calls", 0), 0);
  with_callbacks();
  in_lists();
  with_commands();
  if (count > 1)
    by_profiler(words[1]);
  else
    by_events();
  EXPECT_EQ(echo("0", "calls", 0), 0);
  return failures;
}
