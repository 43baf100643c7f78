// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that choose the tracer, switch it, size its buffer, and take the program's own words.

#include "base/lock.h"
#include "buffer/buffer.h"
#include "tracefs/control_file.h"
#include "tracers/settings.h"

#define NOPHOOK_NO_SHORT_NAMES
#include <trace_marker.h>

namespace nophook {
namespace {

// Scripts look here for what they may use: nothing stands here that is not so.
constexpr char kReadme[] =
    "nophook mini-HOWTO:\n\n"
    "# echo 0 > tracing_on : quick way to disable tracing\n"
    "# echo 1 > tracing_on : quick way to re-enable tracing\n\n"
    " Important files:\n"
    "  available_tracers\t- list of configured tracers for current_tracer\n"
    "  current_tracer\t- the tracer that runs\n"
    "  tracing_on\t\t- enable/disable tracing\n"
    "  trace_marker\t\t- Writes into this file writes into the buffer\n"
    "  trace_marker_raw\t\t- Writes into this file writes binary data into the buffer\n"
    "  buffer_total_size_kb  - view total size of the buffer\n"
    "  error_log\t- error log for failed commands (that support it)\n"
    "  available_filter_functions - list of functions that can be filtered on\n"
    "  enabled_functions\t- functions that somebody has, and how many have them\n"
    "  touched_functions\t- those that somebody has ever had\n"
    "  recursed_functions\t- where callbacks were kept from calling themselves\n"
    "  set_ftrace_filter\t- echo function name in here to only trace these functions\n"
    "\t     accepts: func_full_name or glob-matching-pattern\n"
    "\t     modules: Can select a group via module\n"
    "\t      Format: <glob>:mod:<module-name>\n"
    "\t     example: echo :mod:libz > set_ftrace_filter\n"
    "\t    triggers: a command to perform when function is hit\n"
    "\t      Format: <function>:<trigger>[:count]\n"
    "\t     trigger: traceon, traceoff\n"
    "\t\t      stacktrace\n"
    "\t\t      snapshot\n"
    "\t\t      dump\n"
    "\t     example: echo do_fault:traceoff > set_ftrace_filter\n"
    "\t              echo '!do_fault:traceoff' > set_ftrace_filter\n"
    "\t      also its number in available_filter_functions, and !<glob> to remove\n"
    "  set_ftrace_notrace\t- echo function name in here to never trace.\n"
    "  sys/kernel/ftrace_enabled - 0: no function is traced or called back\n";

Status read_readme(ControlText &text) {
  text.add(kReadme);
  return {};
}

Status read_tracers(ControlText &text) {
  for (uint32_t i = tracer_count(); i-- > 0;)
    text.add(tracer_name(i)).add(i ? " " : "\n");
  return {};
}

Status read_tracer(ControlText &text) {
  RuntimeLock lock;
  text.add(current_tracer()).add("\n");
  return {};
}

Status write_tracer(const char *value, uint64_t bytes) {
  Text<64> name;
  name.add(value, bytes);
  return set_tracer(name.c_str());
}

Status read_tracing_on(ControlText &text) {
  text.add(buffer_is_paused() ? "0\n" : "1\n");
  return {};
}

Status write_tracing_on(const char *value, uint64_t bytes) {
  uint64_t number;
  NOPHOOK_TRY(read_decimal(value, bytes, &number));
  RuntimeLock lock;
  buffer_pause(number == 0);
  return {};
}

Status read_size(ControlText &text) {
  text.number(g_buffer.kib).add("\n");
  return {};
}

Status of_mark(long result) {
  return result >= 0 ? Status{} : failure((int)-result, "the mark was not written");
}

Status write_mark(const char *text, uint64_t bytes) {
  return of_mark(nophook_mark(0, text, bytes));
}

Status write_raw_mark(const char *data, uint64_t bytes) {
  return of_mark(nophook_mark_raw(data, bytes));
}

const ControlFile kFiles[] = {
    {.path = "README", .read = read_readme},
    {.path = "available_tracers", .read = read_tracers},
    {.path = "buffer_total_size_kb", .read = read_size},
    {.path = "current_tracer", .read = read_tracer, .write = write_tracer},
    {.path = "trace_marker", .kind = ControlFile::Kind::kMessage, .write = write_mark},
    {.path = "trace_marker_raw", .kind = ControlFile::Kind::kMessage, .write = write_raw_mark},
    {.path = "tracing_on", .read = read_tracing_on, .write = write_tracing_on},
};

} // namespace

ControlFiles tracer_files() {
  return {kFiles, kFiles + sizeof kFiles / sizeof *kFiles};
}

} // namespace nophook
