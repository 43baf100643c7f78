// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances that are made, used in every way and removed while callers run and others do the same.
// Only where there is a folder for buffers.

#include "torture.h"

#include <tracefs.h>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

struct Edit {
  const char *file, *text;
};
const Edit kEdits[] = {
    {"current_tracer", "function"},
    {"current_tracer", "function_graph"},
    {"current_tracer", "profile"},
    {"current_tracer", "hits"},
    {"current_tracer", "nop"},
    {"set_ftrace_filter", "leaf"},
    {"set_ftrace_filter", "*a*"},
    {"set_ftrace_filter", "recursive"},
    {"set_ftrace_notrace", "re*"},
    {"set_ftrace_filter", "leaf:traceon"},
    {"set_ftrace_filter", "*a*:traceoff:3"},
    {"set_ftrace_filter", "re*:stacktrace:9"},
    {"set_ftrace_filter", "leaf:snapshot:1"},
    {"set_ftrace_filter", "leaf:sample:3"},
    {"set_ftrace_filter", "*a*:ratelimit:9/s"},
    {"auto_notrace", "1000000"},
    {"max_graph_depth", "2"},
    {"tracing_thresh", "1"},
    {"perf_counters", "page-faults"},
    {"set_latency_function", "leaf"},
    {"set_latency_marks", "a mark,its end"},
    {"set_ftrace_pid", "1"},
    {"set_ftrace_notrace_pid", "1"},
    {"set_event_pid", "1"},
    {"tracing_cpumask", "1"},
    {"tracing_on", "0"},
    {"tracing_on", "1"},
    {"snapshot", "1"},
    {"snapshot", "0"},
    {"trace_marker", "a mark"},
    {"trace_marker", "its end"},
    {"trace_clock", "mono"},
    {"trace_clock", "local"},
    {"options/overwrite", "1"},
    {"options/overwrite", "0"},
    {"options/func-args", "1"},
    {"options/funcgraph-retval", "1"},
    {"options/func_stack_trace", "1"},
    {"buffer_size_kb", "2048"},
    {"buffer_size_kb", "1024"},
    {"events/torture/leaf/enable", "1"},
    {"events/torture/leaf/filter", "common_pid > 1"},
    {"events/torture/leaf/trigger", "stacktrace:5 if common_pid > 1"},
    {"events/torture/leaf/trigger", "enable_event:torture:leaf"},
};

// Expected errors: a trigger is there already; the place of one is taken; another thread is at the same
// event, or the profiler needs the clock; it is paused, and takes no mark; the profiler needs another
// clock.
bool is_expected(const Edit &edit, int result) {
  return !result || result == -EEXIST || result == -ENOSPC || result == -EBUSY ||
         result == -EBADF || (result == -EINVAL && std::strcmp(edit.text, "profile") == 0);
}

int write_to(const std::string &path, const char *text, bool append) {
  return tracefs_write(path.c_str(), text, std::strlen(text), append);
}

} // namespace

void torture_instance(std::mt19937_64 &random) {
  static thread_local const std::string folder = fmt::format("instances/{}", syscall(SYS_gettid));
  int made = tracefs_mkdir(folder.c_str());
  if (made == -ENODEV) {
    usleep(10000);
    return;
  }
  must(made, "mkdir of an instance");
  int event = write_to("dynamic_events", "p:torture/leaf leaf\n", true);
  if (event && event != -EEXIST)
    fail(fmt::format("dynamic_events: {}", std::strerror(-event)));
  for (uint64_t i = random() % 8; i > 0; i--) {
    const Edit &edit = kEdits[random() % std::size(kEdits)];
    int result = write_to(folder + "/" + edit.file, edit.text, random() % 2);
    if (!is_expected(edit, result))
      fail(fmt::format("{} to {}: {}", edit.text, edit.file, std::strerror(-result)));
  }
  if (random() % 2)
    usleep(random() % 500);
  must(tracefs_rmdir(folder.c_str()), "rmdir of an instance");
}
