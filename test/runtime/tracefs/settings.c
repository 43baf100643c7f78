// Settings of one value are read as the kernel shows them; a tracer that runs follows at once.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p function_graph -- %t
// RUN: %show --python '[buffers[0].maps.name(e.id) for r in buffers[0].rings for e in r.events if e.kind == "entry"] == ["outer", "inner", "outer", "outer", "inner"]' %t.buf
#include "tree.h"

NOINLINE void inner(void) { KEEP(1); }
NOINLINE void outer(void) {
  inner();
  KEEP(2);
}

UNTRACED int main(void) {
  char pid[20], both[20];
  int length = snprintf(pid, sizeof pid, "%d\n", getpid());
  snprintf(both, sizeof both, "1\n%d\n", getpid());
  outer();
  EXPECT_TEXT("max_graph_depth", "0\n");
  EXPECT_EQ(echo("1", "max_graph_depth", 0), 0);
  EXPECT_TEXT("max_graph_depth", "1\n");
  outer(); // alone
  EXPECT_EQ(echo("257", "max_graph_depth", 0), -EINVAL);
  EXPECT_EQ(echo("0", "max_graph_depth", 0), 0);

  EXPECT_TEXT("set_ftrace_pid", "no pid\n");
  EXPECT_EQ(echo("1", "set_ftrace_pid", 0), 0);
  outer(); // init's alone
  EXPECT_EQ(echo(pid, "set_ftrace_pid", 1), 0);
  EXPECT_TEXT("set_ftrace_pid", both);
  outer();
  EXPECT_EQ(echo(pid, "set_ftrace_pid", 0), 0);
  EXPECT_TEXT("set_ftrace_pid", pid);
  EXPECT_EQ(echo("x", "set_ftrace_pid", 1), -EINVAL);
  EXPECT_TEXT("set_ftrace_pid", pid);
  EXPECT_EQ(length, (int)strlen(cat("set_ftrace_pid")));
  EXPECT_EQ(echo("", "set_ftrace_pid", 0), 0);
  EXPECT_TEXT("set_ftrace_pid", "no pid\n");
  EXPECT_TEXT("set_ftrace_notrace_pid", "no pid\n");

  EXPECT_EQ(echo("3600000000", "tracing_thresh", 0), 0);
  EXPECT_TEXT("tracing_thresh", "3600000000\n");
  outer(); // is over sooner
  EXPECT_EQ(echo("0", "tracing_thresh", 0), 0);
  char all[600];
  snprintf(all, sizeof all, "%s", cat("tracing_cpumask"));
  EXPECT(strspn(all, "0123456789abcdef,") == strlen(all) - 1);
  EXPECT_EQ(echo("0", "tracing_cpumask", 0), 0);
  EXPECT(strspn(cat("tracing_cpumask"), "0,") == strlen(all) - 1);
  outer(); // on no CPU
  EXPECT_EQ(echo(all, "tracing_cpumask", 0), 0);
  EXPECT_TEXT("tracing_cpumask", all);
  EXPECT_TEXT("auto_notrace", "0\n");
  return failures;
}
