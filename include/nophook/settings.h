// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: the names of the settings in NOPHOOK="NAME=VALUE NAME=VALUE …", as far as a user may
// choose them (docs/reference/settings.md). A recorder that knows them refuses a misspelt one
// before it starts a program.
//
// Read by:  the runtime, when the process starts, and `nophook record`.

#ifndef NOPHOOK_SETTINGS_H
#define NOPHOOK_SETTINGS_H

#define NOPHOOK_SETTING_NAMES                                                                      \
  "auto_notrace", "buffer_mode", "buffer_size_kb", "function_fork", "log", "max_graph_depth",      \
      "perf_counters", "perf_map", "set_ftrace_filter", "set_ftrace_notrace",                      \
      "set_ftrace_notrace_pid", "set_ftrace_pid", "set_graph_function", "set_graph_notrace",       \
      "set_latency_function", "set_latency_marks", "set_usdt_filter", "trace_clock",               \
      "trace_options", "tracing_cpumask", "tracing_max_latency", "tracing_on", "tracing_thresh"

#endif
