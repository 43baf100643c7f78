// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting and stopping the tracers. Order matters at both ends: a site is opened only when
// everything behind it is in place (tables, islands, buffer), and the old tracer's sites are
// closed before the new one's are opened. Threads may still be running behind a closed site: the
// code and tables there stay as they are.

#include "tracers/tracer.h"

#include "arch/fast_path.h"
#include "base/bytes.h"
#include "base/lock.h"
#include "base/log.h"
#include "buffer/trace_buffer.h"
#include "buffer/trace_clock.h"
#include "capture/capture_plan.h"
#include "capture/counters.h"
#include "capture/tracer_thread.h"
#include "ops/adopt.h"
#include "ops/ops.h"
#include "ops/signal_frames.h"
#include "ops/static_calls.h"
#include "ops/thread.h"
#include "tracers/callbacks.h"
#include "tracers/function_commands.h"
#include "tracers/muted.h"
#include "tracers/profiler.h"
#include "tracers/thread_end.h"
#include "tracers/usdt.h"

#include <nophook/tracers.h>

#include <errno.h>

namespace nophook {

namespace {

void say_what_has_no_effect(const trace_array &tr, bool has_times) {
  if (tr.rules.has_beside_thresh() || tr.perf_counters || buffer_is_paused(tr.buffer()) ||
      (!has_times && tr.rules.thresh_ticks()))
    log_line(has_times ? "the profiler counts all calls of its functions: of the other settings it "
                         "follows only tracing_thresh"
                       : "hits counts all calls of its functions: it follows no other setting");
}

// Refuses a clock that the profiler cannot read: it reads the CPU's counter alone.
Status suit_profiler(trace_array &tr) {
  if (tr.buffer().clock.kind != NOPHOOK_CLOCK_TSC)
    return failure(EINVAL, "the profiler's times are of the CPU's counter: it needs trace_clock "
                           "x86-tsc");
  say_what_has_no_effect(tr, true);
  return tr.profiler.prepare(tr.buffer(), true);
}

Status suit_hits(trace_array &tr) {
  say_what_has_no_effect(tr, false);
  return tr.profiler.prepare(tr.buffer(), false);
}

// A row of the contract: name, kind and form.
struct Contract {
  const char *name;
  uint32_t event, form;
};
#define NOPHOOK_ROW(name, kind, form, help) {#name, kind, form},
constexpr Contract kContract[] = {NOPHOOK_TRACERS(NOPHOOK_ROW)};
constexpr Contract contract_of(const char *name) {
  for (const Contract &row : kContract)
    if (is_text(row.name, name))
      return row;
  return {};
}
#define NOPHOOK_TRACER(tracer)                                                                     \
  .name = #tracer, .event = contract_of(#tracer).event, .form = contract_of(#tracer).form

constexpr Tracer kTracers[] = {
    {NOPHOOK_TRACER(function), .role = Role::kFunction,
     .options = kFuncArgs | kFuncStackTrace | kFuncNoRepeats,
     .by_callback = trace_function_by_callback, .prepare = nullptr},
    {NOPHOOK_TRACER(function_graph), .role = Role::kGraph,
     .options = kFuncgraphArgs | kFuncgraphRetval, .by_callback = trace_function_graph_by_callback,
     .prepare = nullptr},
    {NOPHOOK_TRACER(profile), .role = Role::kProfile, .options = 0,
     .by_callback = trace_profile_by_callback, .prepare = suit_profiler},
    {NOPHOOK_TRACER(hits), .role = Role::kHits, .options = 0, .by_callback = trace_hits_by_callback,
     .prepare = suit_hits},
};
static_assert(sizeof kTracers / sizeof *kTracers == sizeof kContract / sizeof *kContract,
              "a row for each of nophook/tracers.h");
constexpr const char *kNop = "nop";

bool g_has_events = false;
bool g_is_on_for_events = false; // whether it is on for events alone
bool g_has_marks = false;        // whether a client's write to the file trace_marker has opened it

bool any_functions() {
  for (const Module *m = first_module(); m; m = m->next)
    if (m->loaded && m->records.count())
      return true;
  return false;
}

// Finds a tracer by its name. Null: nop.
Status find_tracer(const char *name, const Tracer **found) {
  *found = nullptr;
  for (const Tracer &tracer : kTracers)
    if (is_text(name, tracer.name))
      *found = &tracer;
  if (*found || is_text(name, kNop))
    return {};
#define NOPHOOK_NAME(name, kind, form, help) ", " #name
  return failure(EINVAL, "unknown tracer (nop" NOPHOOK_TRACERS(NOPHOOK_NAME) ")");
#undef NOPHOOK_NAME
}

// Whether the tracer has something to decide or to keep that no fast path can.
bool needs_callbacks(const trace_array &tr, const Tracer &tracer) {
  if (!tr.is_top() || tracer.role == Role::kCallback)
    return true;
  return !tracer.is_profiler() &&
         (tr.options & tracer.options || tr.rules.any() ||
          tr.buffer().clock.kind != NOPHOOK_CLOCK_TSC || (tracer.is_graph() && tr.perf_counters));
}

// Starts the other listeners to calls that were requested before modules were known.
Status start_others(trace_array &tr) {
  NOPHOOK_TRY(start_function_triggers(tr.number));
  NOPHOOK_TRY(tr.latency.start());
  return tr.is_top() ? start_usdt() : Status{};
}

// Renews the rules for callbacks and for the profiler's fast path.
void renew_rules(trace_array &tr) {
  tr.rules.use_clock(tr.buffer().clock);
  if (tr.is_top())
    set_profile_thresh(tr.rules.thresh_ticks());
}

// Whether its callbacks read registers that a C function keeps: any of them may hold an argument,
// and a walk of the stack begins at the frame pointer.
bool needs_registers(const trace_array &tr, const Tracer &tracer) {
  return tr.options & tracer.options & (kValueOptions | kFuncStackTrace);
}

// Prepares the way by which calls reach the tracer.
Status arm(trace_array &tr, const Tracer &wanted) {
  constexpr unsigned long kFlags =
      FTRACE_OPS_FL_TRACE_ARRAY | FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS;
  ftrace_ops &ops = tr.probe.ops;
  NOPHOOK_TRY(initialise_ops(&ops, wanted.role));
  renew_rules(tr);
  NOPHOOK_TRY(leave_out_muted(tr));
  bool by_callback = needs_callbacks(tr, wanted);
  ops.state->role = by_callback ? Role::kCallback : wanted.role;
  ops.state->exit_bytes = 0;
  ops.flags &= ~(kFlags | FTRACE_OPS_FL_SAVE_REGS);
  if (!by_callback)
    return {};
  ops.flags |= kFlags | (needs_registers(tr, wanted) ? FTRACE_OPS_FL_SAVE_REGS : 0);
  ops.private_data = &tr;
  tr.counted = wanted.is_graph() ? tr.perf_counters : 0;
  tr.renew_beyond_plain();
  NOPHOOK_TRY(prepare_options(tr.options & wanted.options));
  return wanted.by_callback(tr);
}

bool keeps_values(const trace_array &tr) {
  return tr.tracer && tr.options & tr.tracer->options & kValueOptions;
}

Status find_and_prepare(bool has_arrived) {
  NOPHOOK_TRY(has_arrived ? find_modules() : find_first_modules());
  bool any = false;
  each_array([&](const trace_array &tr) { any |= keeps_values(tr); });
  return any ? prepare_capture_plans() : Status{};
}

BufferTracer told_tracer(const trace_array &tr, const Tracer *tracer) {
  if (!tracer)
    return {};
  return {tracer->event, tracer->form, tracer->name, tr.probe.ops.state->role == Role::kGraph};
}

// Lists the functions of the ids for readers, and lets events flow. A process without a single site
// opens no buffer: its children or libraries may have some.
Status open_top_buffer() {
  trace_array &top = top_array();
  BufferTracer told = told_tracer(top, top.tracer);
  if (told.event && !any_functions())
    return {};
  NOPHOOK_TRY(buffer_open(told, found_modules() - top.listed));
  top.listed = found_modules();
  find_cpu_numbers();
  tell_thread_ends();
  if (g_buffer.full == NOPHOOK_FULL_WAIT) {
    find_signal_frames();
    g_is_in_handler = is_in_handler;
  }
  buffer_start();
  return {};
}

// Begins to write to an array's buffer. An instance's is open as long as the instance exists.
Status begin_buffer(trace_array &tr, const Tracer &wanted) {
  NOPHOOK_TRY(instances_follow_modules());
  if (tr.is_top())
    return open_top_buffer();
  buffer_set_tracer(tr.buffer(), told_tracer(tr, &wanted));
  buffer_begin_anew(tr.buffer());
  return {};
}

Status start(trace_array &tr, const Tracer &wanted) {
  ftrace_ops &ops = tr.probe.ops;
  if (ops.flags & FTRACE_OPS_FL_REMOVING &&
      !nophook_calls) // in a fork child, or if another thread is faster
    finish_removal(&ops);
  if (tr.tracer || ops.flags & FTRACE_OPS_FL_REMOVING)
    return failure(EBUSY, "another thread is changing the tracer");
  if (tr.is_top())
    NOPHOOK_TRY(may_read_counter());
  tr.tracer = &wanted;
  __atomic_store_n(&tr.starts, tr.starts + 1, __ATOMIC_RELAXED);
  if (tr.is_top())
    choose_trace_clock();
  NOPHOOK_TRY(arm(tr, wanted));
  NOPHOOK_TRY(find_and_prepare(false));
  NOPHOOK_TRY(begin_buffer(tr, wanted));
  if (wanted.prepare)
    NOPHOOK_TRY(wanted.prepare(tr));
  NOPHOOK_TRY(adopt_found());
  NOPHOOK_TRY(tr.rules.follow_modules());
  NOPHOOK_TRY(add_ops(&ops));
  return start_others(tr);
}

// Waits for callbacks that may be walking past the tracer in the list of ops, if there have ever
// been any.
Status let_go(trace_array &tr) {
  NOPHOOK_TRY(wait_and_finish_removal(&tr.probe.ops));
  RuntimeLock lock;
  // Other threads may have started the tracer again, and be waiting for its end.
  if (!(tr.probe.ops.flags & (FTRACE_OPS_FL_ENABLED | FTRACE_OPS_FL_REMOVING)))
    close_thread_counters(tr.number);
  return {};
}

} // namespace

Tracers tracers() {
  return {kTracers, kTracers + sizeof kTracers / sizeof *kTracers};
}

void choose_trace_clock() {
  choose_clock();
  if (g_buffer.clock.kind == NOPHOOK_CLOCK_MONO && !tsc_is_invariant())
    log_line("the time-stamp counter of this CPU does not run evenly: trace_clock is mono");
}

const char *current_tracer(const trace_array &tr) {
  return tr.tracer ? tr.tracer->name : kNop;
}

Status stop_tracer(trace_array &tr) {
  fprobe &probe = tr.probe;
  bool is_enabled = probe.ops.flags & FTRACE_OPS_FL_ENABLED;
  if (is_enabled && !tr.is_top())
    NOPHOOK_TRY(can_synchronize_callbacks());          // its memory is freed after a wait
  bool was_live = probe.slot && silence_probe(&probe); // open calls have no exits any more
  Status status = is_enabled ? remove_ops(&probe.ops) : Status{};
  if (!status.ok()) { // its sites still lead to its trampolines, so it stays
    if (was_live)
      revive_probe(&probe);
    return status;
  }
  if (tr.is_top()) {
    if (!g_has_events && !g_has_marks)
      buffer_stop();
    g_is_on_for_events = g_has_events;
  }
  tr.tracer = nullptr;
  buffer_tracer_off(tr.buffer());
  return {};
}

void finish_tracer_removal(trace_array &tr) {
  if (tr.probe.ops.flags & FTRACE_OPS_FL_REMOVING)
    finish_removal(&tr.probe.ops);
}

Status set_tracer(trace_array &tr, const char *name) {
  const Tracer *wanted;
  {
    RuntimeLock lock;
    NOPHOOK_TRY(find_tracer(name, &wanted));
    if (wanted == tr.tracer) {
      buffer_begin_anew(tr.buffer());
      return {};
    }
    if (wanted)
      NOPHOOK_TRY(must_be_configured());
    if (tr.tracer)
      NOPHOOK_TRY(stop_tracer(tr));
  }
  NOPHOOK_TRY(let_go(tr));
  if (!wanted)
    return {};
  Status status;
  {
    RuntimeLock lock;
    status = start(tr, *wanted);
    if (status.ok() || tr.tracer != wanted)
      return status;
    Status ignored = stop_tracer(tr);
    (void)ignored; // the error of the start is returned
  }
  Status ignored = let_go(tr);
  (void)ignored; // likewise
  return status;
}

Status follow_settings(trace_array &tr) {
  const Tracer *running;
  {
    RuntimeLock lock;
    running = tr.tracer;
    if (!running)
      return {};
    renew_rules(tr);
    NOPHOOK_TRY(leave_out_muted(tr));
    const ftrace_ops &ops = tr.probe.ops;
    const bool by_callback = ops.state->role == Role::kCallback;
    // If calls come through the exit's trampoline, all registers are saved.
    const bool has_registers = ops.flags & FTRACE_OPS_FL_SAVE_REGS || ops.state->exit_bytes;
    if (needs_callbacks(tr, *running) == by_callback &&
        (!by_callback || has_registers || !needs_registers(tr, *running)))
      return {};
  }
  NOPHOOK_TRY(set_tracer(tr, kNop));
  return set_tracer(tr, running->name);
}

Status open_for_marks() {
  choose_trace_clock();
  NOPHOOK_TRY(find_first_modules());
  NOPHOOK_TRY(open_top_buffer());
  NOPHOOK_TRY(adopt_found());
  NOPHOOK_TRY(top_array().rules.follow_modules());
  return start_others(top_array());
}

Status listen() {
  NOPHOOK_TRY(adopt_modules());
  return start_others(top_array());
}

Status keep_buffer_on(bool on) {
  if (!on && g_is_on_for_events && !g_has_marks)
    buffer_stop();
  if (!on)
    g_has_events = g_is_on_for_events = false;
  if (!on || g_has_events)
    return {};
  if (!buffer_is_on()) {
    NOPHOOK_TRY(must_be_configured());
    NOPHOOK_TRY(open_for_marks());
    g_is_on_for_events = true;
  }
  g_has_events = true;
  return {};
}

Status keep_buffer_on_for_marks() {
  if (!buffer_is_on())
    NOPHOOK_TRY(must_be_configured());
  if (!buffer_is_on())
    NOPHOOK_TRY(open_for_marks());
  g_has_marks = true;
  return {};
}

void report_misses(trace_array &tr) {
  Text<96> path;
  if (!tr.is_top())
    path.add("instances/").add(tr.name.c_str()).add("/");
  const char *folder = path.c_str();
  tr.rules.report_misses(folder);
  tr.latency.report_misses(folder);
  report_trigger_misses(tr.number, folder);
  if (tr.is_top())
    report_usdt_misses();
  nophook_ops *state = tr.probe.ops.state;
  if (!state)
    return;
  state->filter.report_misses(folder, "set_ftrace_filter");
  state->notrace.report_misses(folder, "set_ftrace_notrace");
}

bool awaits_module(const nophook_note *note) {
  return modules_are_awaited() || has_static_calls(note);
}

Status take_new_modules() {
  NOPHOOK_TRY(find_and_prepare(true));
  NOPHOOK_TRY(instances_follow_modules());
  if (top_array().tracer)
    NOPHOOK_TRY(open_top_buffer());
  NOPHOOK_TRY(adopt_found());
  Status status;
  each_array([&](trace_array &tr) {
    if (status.ok())
      status = tr.rules.follow_modules();
    if (status.ok() && !tr.is_top()) // the top level's modules wait for its tracer
      status = start_others(tr);
  });
  NOPHOOK_TRY(status);
  return start_usdt();
}

// Takes a module in. Readers must know it before its first event.
Status module_arrived(const nophook_note *note) {
  bool is_awaited = first_module() || top_array().tracer || has_static_calls(note) || has_usdt() ||
                    has_instances();
  if (!is_awaited || find_module(note))
    return instances_follow_modules();
  return take_new_modules();
}

} // namespace nophook
