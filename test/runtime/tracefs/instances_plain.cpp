// An instance without rules writes what one writes whose rule leaves every call, and what the top level writes: the same events in the same order, past exceptions, tail calls, handlers and the ends of sub-buffers.
// RUN: %traced_cxx -O1 %s -o %t %linked && %trace_linked -p '' -k 16384 -- %t
// RUN: %show --python 'len({str([(e.kind, e.id, e.parent) for r in b.rings for e in r.events]) for b in buffers if "function" in b.path}) == 1' %t.buf
// RUN: %show --python 'len({str([(e.kind, e.id, e.frame) for r in b.rings for e in r.events]) for b in buffers if "graph" in b.path}) == 1' %t.buf
// RUN: %show --python 'all([(e.kind, e.id) for r in b.rings for e in r.events] == [(e.kind, e.id) for r in buffers[0].rings for e in r.events] for b in buffers if "graph" in b.path)' %t.buf
// RUN: %show --python 'all(len(r.events) > 20000 and not r.holes for b in buffers for r in b.rings) and len(buffers) == 5' %t.buf
extern "C" {
#include "tree.h"
}

#include <signal.h>
#include <string>

NOINLINE int leaf(int n) {
  KEEP(n);
  return n + 1;
}
NOINLINE int behind(int n) { return leaf(n) + 1; }
NOINLINE int tail(int n) {
  KEEP(n);
  [[clang::musttail]] return behind(n);
}
NOINLINE int variadic(int n, ...) { return leaf(n); }
NOINLINE long stacked(long a, long b, long c, long d, long e, long f, long g, long h) {
  return a + b + c + d + e + f + g + h + leaf(1);
}
NOINLINE void thrower(int n) {
  leaf(n);
  throw n;
}
NOINLINE int deep(int n) {
  char room[4096];
  KEEP(room);
  return n ? deep(n - 1) + 1 : leaf(0);
}
NOINLINE void handler(int) { leaf(2); }

UNTRACED static void call_all() {
  for (int i = 0; i < 2000; i++) {
    KEEP(tail(i) + variadic(i, i) + (int)stacked(1, 2, 3, 4, 5, 6, 7, 8));
    try {
      thrower(i);
    } catch (int) {
    }
    if (i % 100 == 0)
      raise(SIGUSR1), deep(200); // the stack leaves the window of frames
  }
}

UNTRACED static void trace(const std::string &folder, const char *tracer, const char *rule) {
  if (!folder.empty())
    EXPECT_EQ(tracefs_mkdir(folder.c_str()), 0);
  if (rule)
    EXPECT_EQ(echo(rule, (folder + "/set_ftrace_notrace_pid").c_str(), 0), 0);
  const std::string current = folder.empty() ? "current_tracer" : folder + "/current_tracer";
  EXPECT_EQ(echo(tracer, current.c_str(), 0), 0);
  call_all();
  EXPECT_EQ(echo("nop", current.c_str(), 0), 0);
}

UNTRACED int main() {
  signal(SIGUSR1, handler);
  EXPECT_EQ(echo("leaf* behind* tail* variadic* stacked* thrower* deep* handler* _Z*", "set_ftrace_filter", 0), 0);
  trace("", "function_graph", nullptr);
  trace("instances/function", "function", nullptr);
  trace("instances/function_rules", "function", "1");
  trace("instances/graph", "function_graph", nullptr);
  trace("instances/graph_rules", "function_graph", "1");
  return failures;
}
