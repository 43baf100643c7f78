// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting and stopping the tracers. Order matters at both ends: a site is opened only when
// everything behind it is in place (tables, islands, buffer), and the old tracer's sites are
// closed before the new one's are opened. Threads may still be on their way behind a closed
// site: what is there stays what it was.

#include "tracers/tracer.h"

#include "arch/fast_path.h"
#include "base/bytes.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/memory.h"
#include "buffer/buffer.h"
#include "buffer/clock.h"
#include "ops/kept_calls.h"
#include "ops/ops.h"
#include "ops/signal_frames.h"
#include "ops/thread.h"
#include "tracers/callbacks.h"
#include "tracers/capture_plan.h"
#include "tracers/counters.h"
#include "tracers/instance.h"
#include "tracers/latency.h"
#include "tracers/profile.h"
#include "tracers/rules.h"
#include "tracers/thread.h"
#include "tracers/thread_end.h"
#include "tracers/triggers.h"
#include "tracers/usdt.h"

#include <errno.h>

namespace nophook {

void find_cpu_numbers();

namespace {

struct Tracer {
  const char *name;
  uint32_t event; // what the buffer's header says
  Role role;      // on its fast path; with these options it has none
  uint32_t slow_options;
  Status (*by_callback)(fprobe *probe);
};

constexpr Tracer kTracers[] = {
    {"nop", NOPHOOK_EVENT_NONE, Role::kCallback, 0, nullptr},
    {"function", NOPHOOK_EVENT_FUNCTION, Role::kFunction,
     kFuncArgs | kFuncStackTrace | kFuncNoRepeats, trace_function_by_callback},
    {"function_graph", NOPHOOK_EVENT_ENTRY, Role::kGraph, kFuncgraphArgs | kFuncgraphRetval,
     trace_graph_by_callback},
    {"profile", NOPHOOK_TRACER_PROFILE, Role::kProfile, 0, nullptr},
};

const Tracer *g_current = &kTracers[0];
uint32_t g_listed = 0; // modules that the buffer's readers know

// The tracer as one of those who want functions. Its callback is the fast path, or one that decides
// or keeps something.
fprobe g_probe;
ftrace_ops &g_ops = g_probe.ops;
bool g_keeps_values = false;
bool g_has_events = false;
bool g_is_on_for_events = false; // and for nothing else
bool g_has_marks = false;        // of whoever writes to the file trace_marker

bool any_functions() {
  for (const Module *m = first_module(); m; m = m->next)
    if (m->loaded && m->records.count())
      return true;
  return false;
}

const Tracer *find_tracer(const char *name) {
  for (const Tracer &t : kTracers)
    if (text_length(t.name) == text_length(name) && equal_bytes(t.name, name, text_length(name)))
      return &t;
  return nullptr;
}

bool needs_callbacks(const Tracer *tracer) {
  return tracer->by_callback && (g_trace_options & tracer->slow_options || g_rules.any ||
                                 g_buffer.clock.kind != NOPHOOK_CLOCK_TSC ||
                                 (tracer->role == Role::kGraph && g_perf_counters));
}

// What listens to calls beside the tracer, and has been asked for before modules were known.
Status start_others() {
  NOPHOOK_TRY(start_triggers());
  return start_usdt();
}

// How the tracer comes to calls.
Status arm(const Tracer *wanted) {
  constexpr unsigned long kFlags =
      FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_SAVE_REGS;
  NOPHOOK_TRY(initialise_ops(&g_ops, wanted->role));
  settle_rules();
  bool is_slow = needs_callbacks(wanted);
  g_keeps_values = g_trace_options & wanted->slow_options & kValueOptions;
  g_ops.state->role = is_slow ? Role::kCallback : wanted->role;
  g_ops.state->exit_bytes = 0;
  g_ops.flags &= ~kFlags;
  if (!is_slow)
    return {};
  g_ops.flags |= kFlags;
  return wanted->by_callback(&g_probe);
}

Status find_and_prepare(bool has_arrived) {
  NOPHOOK_TRY(has_arrived ? find_modules() : find_first_modules());
  return g_keeps_values || instances_keep_values() ? prepare_capture_plans() : Status{};
}

Status stop() {
  if (g_probe.slot)
    silence_probe(&g_probe); // calls that are open have no exits any more
  if (g_ops.flags & FTRACE_OPS_FL_ENABLED)
    NOPHOOK_TRY(remove_ops(&g_ops)); // or its sites still lead to its trampolines: so it stays
  if (!g_has_events && !g_has_marks)
    buffer_stop();
  g_is_on_for_events = g_has_events;
  g_current = &kTracers[0];
  buffer_tracer_off();
  return {};
}

// Tells readers what the functions' ids are, and lets events flow. A process without a single
// site opens no buffer: its children or libraries may have some.
Status open_buffer() {
  if (g_current->event && !any_functions())
    return {};
  NOPHOOK_TRY(buffer_open(g_current->event, found_modules() - g_listed));
  g_listed = found_modules();
  find_cpu_numbers();
  tell_thread_ends();
  if (g_buffer.full == NOPHOOK_FULL_WAIT) {
    find_signal_frames();
    g_is_in_handler = is_in_handler;
  }
  buffer_start();
  return {};
}

// It has no callback that could decide, nor read another clock.
Status suit_profiler() {
  if (g_buffer.clock.kind != NOPHOOK_CLOCK_TSC)
    return failure(EINVAL, "the profiler's times are of the CPU's counter: it needs trace_clock "
                           "x86-tsc");
  if (has_rules_beside_thresh() || g_perf_counters || buffer_is_paused())
    log_line("the profiler counts all calls of its functions: of what else was set it heeds "
             "tracing_thresh alone");
  return prepare_profile();
}

Status start(const Tracer *wanted) {
  if (g_ops.flags & FTRACE_OPS_FL_REMOVING && !nophook_calls) // a fork child, or a thread is faster
    finish_removal(&g_ops);
  if (g_current->event || g_ops.flags & FTRACE_OPS_FL_REMOVING)
    return failure(EBUSY, "another thread is changing the tracer");
  NOPHOOK_TRY(may_read_counter());
  g_current = wanted;
  choose_trace_clock();
  NOPHOOK_TRY(arm(wanted));
  NOPHOOK_TRY(find_and_prepare(false));
  NOPHOOK_TRY(open_buffer());
  if (wanted->role == Role::kProfile)
    NOPHOOK_TRY(suit_profiler());
  NOPHOOK_TRY(adopt_found());
  NOPHOOK_TRY(rules_follow_modules());
  NOPHOOK_TRY(add_ops(&g_ops));
  return start_others();
}

// Callbacks may be walking past the tracer in the list of ops, if there have ever been any.
Status let_go() {
  if (g_ops.flags & FTRACE_OPS_FL_REMOVING && nophook_calls)
    NOPHOOK_TRY(synchronize_callbacks());
  RuntimeLock lock;
  if (g_ops.flags & FTRACE_OPS_FL_REMOVING)
    finish_removal(&g_ops);
  if (!(g_ops.flags & FTRACE_OPS_FL_ENABLED))
    close_thread_counters();
  return {};
}

} // namespace

void choose_trace_clock() {
  choose_clock();
  if (g_buffer.clock.kind == NOPHOOK_CLOCK_MONO && !tsc_is_invariant())
    log_line("the time-stamp counter of this CPU does not run evenly: trace_clock is mono");
}

const char *current_tracer() {
  return g_current->name;
}

Status set_tracer(const char *name) {
  const Tracer *wanted = find_tracer(name);
  {
    RuntimeLock lock;
    if (!wanted)
      return failure(EINVAL, "unknown tracer (nop, function, function_graph, profile)");
    if (wanted == g_current) {
      buffer_begin_anew();
      return {};
    }
    if (wanted->event && !buffer_configured())
      return failure(ENODEV, "no buffer_dir is set: start the program with `nophook record`");
    if (g_current->event)
      NOPHOOK_TRY(stop());
  }
  NOPHOOK_TRY(let_go());
  if (!wanted->event)
    return {};
  Status status;
  {
    RuntimeLock lock;
    status = start(wanted);
    if (status.ok() || g_current != wanted)
      return status;
    Status ignored = stop();
    (void)ignored; // the answer is why it did not start
  }
  Status ignored = let_go();
  (void)ignored; // likewise
  return status;
}

Status follow_settings() {
  const Tracer *running;
  {
    RuntimeLock lock;
    running = g_current;
    if (!running->event)
      return {};
    settle_rules();
    bool is_slow = g_ops.state->role == Role::kCallback;
    if (needs_callbacks(running) == is_slow)
      return {};
  }
  NOPHOOK_TRY(set_tracer("nop"));
  return set_tracer(running->name);
}

uint32_t tracer_count() {
  return sizeof kTracers / sizeof *kTracers;
}

const char *tracer_name(uint32_t number) {
  return kTracers[number].name;
}

Status tracer_filter(TracerFilter which, Filter **filter) {
  NOPHOOK_TRY(initialise_ops(&g_ops, g_current->role));
  nophook_ops *state = g_ops.state;
  *filter = which == TracerFilter::kFilter ? &state->filter : &state->notrace;
  return {};
}

Status replace_tracer_filter(TracerFilter which, Filter *changed) {
  Filter *filter;
  NOPHOOK_TRY(tracer_filter(which, &filter));
  filter->swap(*changed);
  Status status = refilter(&g_ops);
  if (!status.ok())
    filter->swap(*changed);
  return status;
}

static Status change_globs(TracerFilter which, const char *text, uint64_t bytes, bool reset,
                           const char *separators) {
  Filter *filter;
  NOPHOOK_TRY(tracer_filter(which, &filter));
  Filter &changed = spare_filter();
  if (!reset)
    NOPHOOK_TRY(changed.copy(*filter));
  NOPHOOK_TRY(changed.change(text, bytes, reset, separators, Filter::Misses::kAllowed));
  return replace_tracer_filter(which, &changed);
}

// Takes the tokens of `text` that are commands away, and carries them out; what is left is shorter.
static Status take_commands(char *text, uint64_t *bytes, const char *separators) {
  auto is_separator = [&](char c) {
    const char *s = separators;
    while (*s && *s != c)
      s++;
    return *s != 0;
  };
  uint64_t kept = 0;
  for (uint64_t at = 0, end; at < *bytes; at = end + 1) {
    for (end = at; end < *bytes && !is_separator(text[end]);)
      end++;
    bool is_command = false;
    if (end > at)
      NOPHOOK_TRY(change_triggers(0, text + at, end - at, Filter::Misses::kAllowed, &is_command));
    for (uint64_t i = at; i < end + (end < *bytes) && !is_command; i++)
      text[kept++] = text[i];
  }
  *bytes = kept;
  return {};
}

Status change_filter(TracerFilter which, const char *text, uint64_t bytes, bool reset,
                     const char *separators) {
  bool may_have_commands = false; // every command has a colon; without, no memory is asked for
  for (uint64_t i = 0; i < bytes && which == TracerFilter::kFilter; i++)
    may_have_commands |= text[i] == ':';
  if (may_have_commands) {
    auto *copy = static_cast<char *>(map_pages(bytes));
    if (!copy)
      return failure(ENOMEM, "no memory for a filter");
    copy_bytes(copy, text, bytes);
    uint64_t rest = bytes;
    Status status = take_commands(copy, &rest, separators);
    if (status.ok())
      status = change_globs(which, copy, rest, reset, separators);
    unmap_pages(copy, bytes);
    return status;
  }
  return change_globs(which, text, bytes, reset, separators);
}

Status open_for_marks() {
  choose_trace_clock();
  NOPHOOK_TRY(find_first_modules());
  NOPHOOK_TRY(open_buffer());
  NOPHOOK_TRY(adopt_found());
  NOPHOOK_TRY(rules_follow_modules());
  return start_others();
}

Status listen() {
  NOPHOOK_TRY(adopt_modules());
  return start_others();
}

Status keep_buffer_on(bool on) {
  if (!on && g_is_on_for_events && !g_has_marks)
    buffer_stop();
  if (!on)
    g_has_events = g_is_on_for_events = false;
  if (!on || g_has_events)
    return {};
  if (!buffer_is_on()) {
    if (!buffer_configured())
      return failure(ENODEV, "no buffer_dir is set: start the program with `nophook record`");
    NOPHOOK_TRY(open_for_marks());
    g_is_on_for_events = true;
  }
  g_has_events = true;
  return {};
}

Status keep_buffer_on_for_marks() {
  if (!buffer_is_on() && !buffer_configured())
    return failure(ENODEV, "no buffer_dir is set: start the program with `nophook record`");
  if (!buffer_is_on())
    NOPHOOK_TRY(open_for_marks());
  g_has_marks = true;
  return {};
}

void report_misses() {
  report_rule_misses();
  report_trigger_misses();
  report_latency_misses();
  report_usdt_misses();
  if (!g_ops.state)
    return;
  g_ops.state->filter.report_misses("set_ftrace_filter");
  g_ops.state->notrace.report_misses("set_ftrace_notrace");
}

bool awaits_module(const nophook_note *note) {
  return modules_are_awaited() || has_kept_calls(note);
}

// Readers must know a module before its first event.
Status module_arrived(const nophook_note *note) {
  bool is_awaited =
      first_module() || g_current->event || has_kept_calls(note) || has_usdt() || has_instances();
  if (!is_awaited || find_module(note))
    return instances_follow_modules();
  NOPHOOK_TRY(find_and_prepare(true));
  NOPHOOK_TRY(instances_follow_modules());
  if (g_current->event)
    NOPHOOK_TRY(open_buffer());
  NOPHOOK_TRY(adopt_found());
  NOPHOOK_TRY(rules_follow_modules());
  return start_usdt();
}

} // namespace nophook
