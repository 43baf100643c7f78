// A traced call makes no system call, whatever tracer, rule, command, trigger or clock sees it; but the clocks boot, local and mono_raw, and what writes something out once.
// RUN: %clang -O1 -D_GNU_SOURCE %S/Inputs/syscalls_between.c -o %t.count
// RUN: %traced_cc -O1 -I%S/../tracefs -I%S/Inputs %s -o %t %linked
// RUN: %trace_linked -p '' -k 16384 -s buffer_mode=overwrite -- %t.count %t | FileCheck %s
// CHECK: {{[1-9][0-9]}} pairs of marks, 0 failures
#include "syscalls.h"
#include "tree.h"

#include <nophook/tracers.h>
#include <unistd.h>

enum {
  kCalls = 100000,
  kFirst = 1000, // a thread's ring and stack are made, and what happens once has happened
  kDear = 500,
  // A sub-buffer that begins asks for the thread's name, and for the time by two clocks.
  kOfSubbuf = 8,
  kSubbufBytes = 64 << 10,
  kCopy = 5000, // a snapshot or a dump copies the buffer
};
#define EVENT "p:mine/work leaf n=$arg1:s32\n"
#define TRIGGER "events/mine/work/trigger"

NOINLINE void leaf(int n) { KEEP(n); }

// Most events have 16 bytes, and those with values a few more.
UNTRACED static long of_subbufs(long calls) { return (calls * 2 * 40 / kSubbufBytes + 2) * kOfSubbuf; }

UNTRACED static void count_in(const char *name, int calls, long least, long most) {
  syscall(kMark, name, least, most);
  for (int i = 0; i < calls; i++)
    leaf(i);
  syscall(kMark, NULL, 0, 0);
}

// A setting, a command, or an event, as it is written and taken back.
struct step {
  const char *file, *on, *off;
  int appends;
};
struct row {
  const char *name;
  struct step steps[3];
  int writes; // whether many calls write an event; a few always may, and begin a sub-buffer
  int once;   // system calls of an action that its first calls start
};
#define FILTER "set_ftrace_filter"

static const struct row kRules[] = {
    {"sample", {{FILTER, "leaf:sample:10", "!leaf:sample", 1}}, 1, 0},
    {"sample, of few", {{FILTER, "leaf:sample:1000000", "!leaf:sample", 1}}, 0, 0},
    {"ratelimit", {{FILTER, "leaf:ratelimit:10/s", "!leaf:ratelimit", 1}}, 0, 0},
    {"ratelimit, of many", {{FILTER, "leaf:ratelimit:100000000/s", "!leaf:ratelimit", 1}}, 1, 0},
    {"auto_notrace", {{"auto_notrace", "10", "0", 0}}, 0, 0},
    {"auto_notrace, of many", {{"auto_notrace", "1000000000", "0", 0}}, 1, 0},
    {"tracing_thresh", {{"tracing_thresh", "1000000", "0", 0}}, 1, 0},
    {"max_graph_depth", {{"max_graph_depth", "1", "0", 0}}, 1, 0},
    {"set_graph_function", {{"set_graph_function", "leaf", "", 0}}, 1, 0},
    {"set_graph_notrace", {{"set_graph_notrace", "leaf", "", 0}}, 1, 0},
    {"tracing_cpumask", {{"tracing_cpumask", "ffffffff", "ffffffff", 0}}, 1, 0},
    {"set_ftrace_pid", {{"set_ftrace_pid", "1", "", 0}}, 0, 0},
    {"tracing_on", {{"tracing_on", "0", "1", 0}}, 0, 0},
    {"func-args", {{"trace_options", "func-args", "nofunc-args", 0}}, 1, 0},
    {"func-no-repeats", {{"trace_options", "func-no-repeats", "nofunc-no-repeats", 0}}, 1, 0},
    {"funcgraph-args",
     {{"trace_options", "funcgraph-args", "nofuncgraph-args", 0},
      {"trace_options", "funcgraph-retval", "nofuncgraph-retval", 0}},
     1,
     0},
};
static const struct row kCommands[] = {
    {"traceon", {{FILTER, "leaf:traceon", "!leaf:traceon", 1}}, 1, 0},
    {"traceoff", {{FILTER, "leaf:traceoff", "!leaf:traceoff", 1}, {"tracing_on", "1", "1", 0}}, 0, 0},
    {"stacktrace", {{FILTER, "leaf:stacktrace", "!leaf:stacktrace", 1}}, 1, 0},
    {"snapshot", {{FILTER, "leaf:snapshot:1", "!leaf:snapshot", 1}}, 1, kCopy},
    {"dump", {{FILTER, "leaf:dump:1", "!leaf:dump", 1}}, 1, kCopy},
};
#define EVENTS {"dynamic_events", EVENT, "", 1}
static const struct row kEvents[] = {
    {"event", {EVENTS, {"events/mine/work/enable", "1", "0", 0}}, 1, 0},
    {"event of a return",
     {{"dynamic_events", "f:mine/work leaf%return n=$arg1:s32\n", "", 1},
      {"events/mine/work/enable", "1", "0", 0}},
     1,
     0},
    {"event, filter",
     {EVENTS, {"events/mine/work/filter", "n == -1", "0", 0}, {"events/mine/work/enable", "1", "0", 0}},
     0,
     0},
    {"trigger traceon", {EVENTS, {TRIGGER, "traceon", "!traceon", 1}}, 0, 0},
    {"trigger with a filter", {EVENTS, {TRIGGER, "snapshot if n == -1", "!snapshot", 1}}, 0, 0},
    {"trigger snapshot:1", {EVENTS, {TRIGGER, "snapshot:1", "!snapshot", 1}}, 0, kCopy},
    {"trigger stacktrace", {EVENTS, {TRIGGER, "stacktrace", "!stacktrace", 1}}, 1, 0},
};
static const struct { const char *name; int is_dear; } kClocks[] = {
    {"local", 1}, {"global", 0}, {"counter", 0}, {"mono", 0}, {"mono_raw", 1}, {"boot", 1}, {"x86-tsc", 0},
};
#define NAME(name, kind, form, help) #name,
static const char *const kTracers[] = {NOPHOOK_TRACERS(NAME)};

UNTRACED static void count_row(const char *tracer, const struct row *row) {
  char name[100];
  const struct step *steps = row->steps;
  for (int i = 0; i < 3 && steps[i].file; i++)
    EXPECT_EQ(echo(steps[i].on, steps[i].file, steps[i].appends), 0);
  EXPECT_EQ(echo(tracer, "current_tracer", 0), 0);
  snprintf(name, sizeof name, "%s, %s, the first calls", tracer, row->name);
  count_in(name, kFirst, 0, row->once + 4 * kOfSubbuf);
  snprintf(name, sizeof name, "%s, %s", tracer, row->name);
  count_in(name, kCalls, 0, row->writes ? of_subbufs(kCalls) : 2 * kOfSubbuf);
  EXPECT_EQ(echo("nop", "current_tracer", 0), 0);
  for (int i = 2; i >= 0; i--)
    if (steps[i].file)
      EXPECT_EQ(echo(steps[i].off, steps[i].file, steps[i].off[0] == '!'), 0);
}
#define EACH(row, rows) for (const struct row *row = rows; row < rows + sizeof rows / sizeof *rows; row++)

UNTRACED int main(void) {
  EXPECT_EQ(echo("leaf", FILTER, 0), 0);
  for (unsigned i = 0; i < sizeof kTracers / sizeof *kTracers; i++) {
    const struct row plain = {"plain", {{NULL, NULL, NULL, 0}}, 1, 0};
    count_row(kTracers[i], &plain);
    EACH(row, kRules)
    count_row(kTracers[i], row);
    EACH(row, kCommands)
    count_row(kTracers[i], row);
  }
  EACH(row, kEvents)
  count_row("nop", row);
  for (unsigned i = 0; i < sizeof kClocks / sizeof *kClocks; i++) {
    EXPECT_EQ(echo(kClocks[i].name, "trace_clock", 0), 0);
    EXPECT_EQ(echo("function", "current_tracer", 0), 0);
    leaf(0);
    int calls = kClocks[i].is_dear ? kDear : kCalls;
    count_in(kClocks[i].name, calls, kClocks[i].is_dear ? kDear : 0,
             (kClocks[i].is_dear ? kDear : 0) + of_subbufs(calls));
    EXPECT_EQ(echo("nop", "current_tracer", 0), 0);
  }
  return failures;
}
