// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// README: the grammar of what is supported, in the kernel's words. Scripts feature-test by grepping
// it.

#include "base/bytes.h"
#include "tracefs/control_file.h"

namespace nophook {
namespace {

// The texts list features that exist, and no others.
constexpr char kGrammars[] =
    "nophook mini-HOWTO:\n\n"
    "# echo 0 > tracing_on : quick way to disable tracing\n"
    "# echo 1 > tracing_on : quick way to re-enable tracing\n\n"
    " Important files:\n"
    "  available_tracers\t- list of configured tracers for current_tracer\n"
    "  current_tracer\t- the tracer that runs\n"
    "  trace_marker\t\t- Writes into this file writes into the buffer\n"
    "  trace_marker_raw\t\t- Writes into this file writes binary data into the buffer\n"
    "  buffer_total_size_kb  - the same: there is one for all CPUs\n"
    "  buffer_subbuf_size_kb - view/modify the size of pages in trace_pipe_raw\n"
    "  free_buffer\t\t- closing it shrinks the buffer; disable_on_free: and stops tracing\n"
    "  buffer_percent\t- how full the buffer is when a waiting reader continues\n"
    "  trace_clock\t\t- change the clock used to order events\n"
    "       local:   Per cpu clock but may not be synced across CPUs\n"
    "      global:   Synced across CPUs but slows tracing down.\n"
    "     counter:   Not a clock, but just an increment\n"
    "        mono:   Same as \"global\"\n"
    "     x86-tsc:   TSC cycle counter\n"
    "  instances\t\t- Make sub-buffers with: mkdir instances/foo\n"
    "\t\t\t  Remove sub-buffer with rmdir\n"
    "  timestamp_mode\t- view the mode used to timestamp events\n"
    "  snapshot\t\t- Like trace, but shows the content of the static snapshot buffer.\n"
    "  saved_cmdlines_size\t- echo command number in here to store comm-pid list\n"
    "  saved_cmdlines, saved_tgids - the names and processes of threads in the buffer\n"
    "  trace_options\t\t- Set format or modify how tracing happens\n"
    "\t\t\t  Disable an option by prefixing 'no' to the\n"
    "\t\t\t  option name\n"
    "  options/<option>\t- the same, 0 or 1\n"
    "  error_log\t- error log for failed commands (that support it)\n"
    "  available_filter_functions - list of functions that can be filtered on\n"
    "  enabled_functions\t- functions with users, and how many users each has\n"
    "  touched_functions\t- functions that have ever had users\n"
    "  recursed_functions\t- where callbacks were kept from calling themselves\n"
    "  set_ftrace_filter\t- echo function name in here to only trace these functions\n"
    "\t     accepts: func_full_name or glob-matching-pattern\n"
    "\t     modules: Can select a group via module\n"
    "\t      Format: <glob>:mod:<module-name>\n"
    "\t     example: echo :mod:libz > set_ftrace_filter\n"
    "\t    triggers: a command to perform when function is hit\n"
    "\t      Format: <function>:<trigger>[:count]\n"
    "\t     trigger: traceon, traceoff\n"
    "\t\t      enable_event:<system>:<event>\n"
    "\t\t      disable_event:<system>:<event>\n"
    "\t\t      stacktrace\n"
    "\t\t      snapshot\n"
    "\t\t      dump\n"
    "\t     example: echo do_fault:traceoff > set_ftrace_filter\n"
    "\t              echo '!do_fault:traceoff' > set_ftrace_filter\n"
    "\t      also its number in available_filter_functions, and !<glob> to remove\n";

constexpr char kOthers[] =
    "  dynamic_events\t\t- Create/append/remove/show the generic dynamic events\n"
    "\t\t\t  Write into this file to define/undefine new trace events.\n"
    "  kprobe_events\t\t- Create/append/remove/show the probes at functions\n"
    "\t\t\t  Write into this file to define/undefine new trace events.\n"
    "\t  accepts: event-definitions (one definition per line)\n"
    "\t   Format: p[:[<group>/][<event>]] <place> [<args>]\n"
    "\t           r[maxactive][:[<group>/][<event>]] <place> [<args>]\n"
    "\t           f[:[<group>/][<event>]] <func-name>[%return] [<args>]\n"
    "\t           -:[<group>/][<event>]\n"
    "\t    place: <symbol>[+0][%return]\n"
    "\t     args: <name>=fetcharg[:type]\n"
    "\t fetcharg: %<register>, @<address>, @<symbol>[+|-<offset>],\n"
    "\t           $stack<index>, $stack, $retval, $comm, $arg<N>, <argname>\n"
    "\t           +|-[u]<offset>(<fetcharg>), \\imm-value, \\\"imm-string\"\n"
    "\t     type: s8/16/32/64, u8/16/32/64, x8/16/32/64, char, string, symbol, symstr,\n"
    "\t           b<bit-width>@<bit-offset>/<container-size>, ustring,\n"
    "\t           <type>\\[<array-size>\\]\n"
    "  kprobe_profile\t- how often probes were hit and missed\n"
    "  available_events\t- events that can be switched on\n"
    "  set_event\t\t- Enables events by name written into it\n"
    "  set_event_pid\t\t- only in these threads or processes; set_event_notrace_pid: not\n"
    "  events/\t\t- Directory containing all trace event subsystems:\n"
    "      header_page\t- how pages of the buffer begin, as binary readers see it\n"
    "      ftrace/<event>/format, id\t- the tracers' own events\n"
    "      enable\t\t- Write 0/1 to enable/disable tracing of all events\n"
    "      <system>/enable\t- the same for all events of a system\n"
    "      <system>/filter\t- filter for those of its events that have the fields\n"
    "      <system>/<event>/enable\t- Write 0/1 to enable/disable tracing of <event>\n"
    "      filter\t\t- If set, only events passing filter are traced\n"
    "      trigger\t\t- If set, a command to perform when event is hit\n"
    "\t    Format: <trigger>[:count][if <filter>]\n"
    "\t   trigger: traceon, traceoff\n"
    "\t            enable_event:<system>:<event>\n"
    "\t            disable_event:<system>:<event>\n"
    "\t\t    stacktrace\n"
    "\t\t    snapshot\n"
    "  livepatch/load, unload - load a library of live patches by its path; unload it by a patch's "
    "name\n"
    "  livepatch/libraries\t- the libraries of live patches that are loaded\n"
    "  livepatch/looks\t- what a client looks for on the stacks of threads that it stops, and its "
    "verdicts\n"
    "  livepatch/<patch>/enabled - 0 disables the live patch, or turns its transition round\n"
    "  livepatch/<patch>/transition, force - threads are changing over; 1: no longer wait for "
    "them\n"
    "  stack_trace\t\t- Shows the max stack trace when active\n"
    "  stack_max_size\t- Shows current max stack size that was traced\n"
    "\t\t\t  Write into this file to reset the max size (trigger a new trace)\n"
    "  stack_trace_filter\t- Like set_ftrace_filter but limits what stack_trace traces\n"
    "  sys/kernel/stack_tracer_enabled - 1: the stack tracer is on\n"
    "  function_profile_enabled - set to 1 to profile functions (current_tracer is then profile)\n"
    "  trace_stat/function0\t- the profiler's counts, longest time first\n"
    "  sys/kernel/ftrace_enabled - 0: no function is traced or called back\n";

// Whether the setting is in kGrammars, with more than a line.
bool is_explained(const char *name) {
  constexpr const char *kNames[] = {"set_ftrace_filter", "trace_clock", "trace_options"};
  bool found = false;
  for (const char *explained : kNames)
    found |= is_text(name, explained);
  return found;
}

Status read_readme(FileTarget, ControlText &text) {
  text.add(kGrammars);
  for (const Setting &setting : settings())
    if (setting.file != SettingFile::kNone && !is_explained(setting.name))
      text.add("  ").add(setting.name).add("\t- ").add(setting.line).add("\n");
  text.add(kOthers);
  return {};
}

const ControlFile kFiles[] = {
    {.path = "README", .scope = SettingScope::kTop, .read = read_readme},
};

} // namespace

ControlFiles readme_file() {
  return {kFiles, kFiles + sizeof kFiles / sizeof *kFiles};
}

} // namespace nophook
