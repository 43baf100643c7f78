// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: the settings of a trace, by the names that the kernel's files have
// (docs/reference/settings.md). NOPHOOK="NAME=VALUE NAME=VALUE …" gives them when a process starts,
// files of these names in the control tree while it runs. So a recorder can refuse a misspelt name
// before it starts a program.
//
// X(name, value at first, line of the tree's README). The value is null where a file of that name
// has another meaning than the setting, or none to go back to.
//
// Read by:  the runtime, whose table (runtime/tracers/named_settings.cpp) has a row for each, and
//           the commands of nophook: record --set, reset, completion.

#ifndef NOPHOOK_SETTINGS_H
#define NOPHOOK_SETTINGS_H

// clang-format off
#define NOPHOOK_SETTINGS(X)                                                                        \
  X(auto_notrace, "0", "leave out functions that are called more often in a second; 0: none")      \
  X(buffer_mode, 0, "drop, overwrite or wait:MS: what happens when the buffer is full")            \
  X(buffer_size_kb, 0, "view and modify size of the buffer")                                       \
  X(calls, "0", "1: calls into libraries are functions, too")                                       \
  X(function_fork, 0, "0: children of fork are not traced")                                        \
  X(log, 0, "stderr or a file: every line of the log goes there as well")                          \
  X(max_graph_depth, "0", "Trace the nested calls of function_graph this deep; 0: no limit")       \
  X(off_cpu, "0", "1: the time that a thread is off the CPU is recorded")                         \
  X(perf_counters, "", "Counters of the thread whose growth is kept with each exit "               \
                       "(function_graph)")                                                         \
  X(perf_map, 0, "1: names of generated code in /tmp/perf-PID.map")                                \
  X(set_ftrace_filter, "", "echo function name in here to only trace these functions")             \
  X(set_ftrace_notrace, "", "echo function name in here to never trace.")                          \
  X(set_ftrace_notrace_pid, "", "Write pid(s) to not function trace those pids")                   \
  X(set_ftrace_pid, "", "Write pid(s) to only function trace those pids")                          \
  X(set_graph_function, "", "Trace the nested calls of a function (function_graph)")               \
  X(set_graph_notrace, "", "Do not trace the nested calls of a function (function_graph)")         \
  X(set_latency_function, "", "functions whose longest call is kept")                              \
  X(set_latency_marks, "", "BEGIN,END: marks between which the longest time is kept")              \
  X(set_usdt_filter, "", "Functions whose entry and return reach the USDT probes of nophook")      \
  X(trace_clock, 0, "change the clock used to order events")                                       \
  X(trace_instance, 0, "NAME or NAME,EVENT...: an instance that is there from the start")          \
  X(trace_options, 0, "Set format or modify how tracing happens")                                  \
  X(tracing_cpumask, 0, "Limit which CPUs to trace")                                               \
  X(tracing_max_latency, 0, "the longest of them in microseconds; 0: begin again")                 \
  X(tracing_on, "1", "enable/disable tracing")                                                     \
  X(tracing_thresh, "0", "Only calls that took so many microseconds (function_graph)")
// clang-format on

// The largest values of settings, for messages on both sides.
#define NOPHOOK_MOST_GRAPH_DEPTH 256
#define NOPHOOK_MOST_WAIT_MS 10000
#define NOPHOOK_MOST_MARK_BYTES 128 // bytes of each text of set_latency_marks
#define NOPHOOK_MOST_COUNTERS 8     // counters that can be recorded at once
#define NOPHOOK_MOST_THRESH_US 3600000000
#define NOPHOOK_LEAST_BUFFER_KIB 1024

#endif
