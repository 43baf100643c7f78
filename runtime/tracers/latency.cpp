// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tracers/latency.h"

#include "buffer/buffer.h"
#include "buffer/clock.h"
#include "buffer/snapshot.h"
#include "ops/fprobe.h"
#include "ops/own_stack.h"
#include "tracers/thread.h"

#include <errno.h>

namespace nophook {
namespace {

constexpr const char *kSeparators = ", \t\n";
constexpr const char *kNoFunction = "\001"; // a filter that is empty has all functions

// Of a point that time is measured from. Ticks of read_time().
struct Start {
  uint64_t time;
  uint64_t spent; // by the thread, for snapshots, so far
};

fprobe g_probe;
Text<1024> g_functions;
bool g_is_set = false; // once there have been functions

struct MarkText {
  char text[128];
  uint32_t bytes;

  bool is(const char *other, uint64_t n) const { return n == bytes && equal_bytes(text, other, n); }
};
MarkText g_begin, g_end;
bool g_has_marks = false;

uint64_t g_max = 0;      // ticks
uint32_t g_is_newer = 0; // than the snapshot

uint64_t read_time() {
  return tsc_is_invariant() ? read_tsc() : monotonic_ns();
}

Start start_of(const TracerThread *thread) {
  return {read_time(), thread->snapshot_time};
}

// Threads that raise it while one is copying leave it to that one to copy again.
void take_snapshots() {
  while (__atomic_exchange_n(&g_is_newer, 0, __ATOMIC_ACQ_REL))
    if (!take_latency_snapshot()) {
      __atomic_store_n(&g_is_newer, 1, __ATOMIC_RELEASE);
      return;
    }
}

// Whether the time since `start` is the longest.
bool is_longest(const TracerThread *thread, const Start &start) {
  uint64_t spent = thread->snapshot_time - start.spent, took = read_time() - start.time;
  if (thread->snapshot_time < start.spent) // in a fork child
    spent = 0;
  took = took > spent ? took - spent : 0;
  uint64_t longest = __atomic_load_n(&g_max, __ATOMIC_RELAXED);
  do
    if (took <= longest)
      return false;
  while (!__atomic_compare_exchange_n(&g_max, &longest, took, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED));
  __atomic_store_n(&g_is_newer, 1, __ATOMIC_RELEASE);
  return true;
}

int at_entry(fprobe *, unsigned long, unsigned long, ftrace_regs *, void *data) {
  TracerThread *thread = tracer_thread();
  if (!thread || !g_functions.size())
    return 1; // no handler at its end
  *static_cast<Start *>(data) = start_of(thread);
  return 0;
}

void at_exit(fprobe *, unsigned long, unsigned long, ftrace_regs *, void *data) {
  TracerThread *thread = tracer_thread();
  if (!thread || !is_longest(thread, *static_cast<const Start *>(data)))
    return;
  uint64_t before = read_time();
  run_on_own_stack([] { take_snapshots(); });
  thread->snapshot_time += read_time() - before;
}

Status register_probe() {
  if (g_probe.ops.flags & FTRACE_OPS_FL_ENABLED)
    return refilter(&g_probe.ops);
  return first_module() ? add_ops(&g_probe.ops) : Status{};
}

Status prepare_probe() {
  if (g_is_set)
    return {};
  g_probe.entry_handler = at_entry;
  g_probe.exit_handler = at_exit;
  g_probe.entry_data_size = sizeof(Start);
  g_probe.ops.flags |=
      FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_SAVE_REGS;
  NOPHOOK_TRY(bind_probe(&g_probe));
  g_is_set = true;
  return {};
}

} // namespace

Status set_latency_functions(const char *text, uint64_t bytes) {
  while (bytes && text[bytes - 1] == '\n')
    bytes--;
  if (!bytes && !g_is_set)
    return {};
  decltype(g_functions) kept;
  if (kept.add(text, bytes).size() < bytes)
    return failure(ENAMETOOLONG, "set_latency_function is too long");
  NOPHOOK_TRY(prepare_probe());
  const char *wanted = bytes ? kept.c_str() : kNoFunction;
  Filter &filter = g_probe.ops.state->filter;
  NOPHOOK_TRY(
      filter.change(wanted, text_length(wanted), true, kSeparators, Filter::Misses::kAllowed));
  g_functions = kept;
  return register_probe();
}

Status set_latency_marks(const char *text, uint64_t bytes) {
  while (bytes && text[bytes - 1] == '\n')
    bytes--;
  __atomic_store_n(&g_has_marks, false, __ATOMIC_SEQ_CST);
  if (!bytes)
    return {};
  uint64_t comma = 0;
  while (comma < bytes && text[comma] != ',')
    comma++;
  uint64_t end_bytes = comma < bytes ? bytes - comma - 1 : 0;
  if (!comma || !end_bytes || comma > sizeof g_begin.text || end_bytes > sizeof g_end.text)
    return failure(EINVAL, "two texts are expected, BEGIN,END, of at most 128 bytes");
  copy_bytes(g_begin.text, text, comma);
  copy_bytes(g_end.text, text + comma + 1, end_bytes);
  g_begin.bytes = (uint32_t)comma;
  g_end.bytes = (uint32_t)end_bytes;
  __atomic_store_n(&g_has_marks, true, __ATOMIC_RELEASE);
  return {};
}

Status set_max_latency(const char *text, uint64_t bytes) {
  uint64_t ns = 0, digits = 0;
  uint32_t decimals = 0;
  bool has_point = false;
  for (uint64_t i = 0; i < bytes && text[i] != '\n'; i++) {
    if (text[i] == '.' && !has_point) {
      has_point = true;
      continue;
    }
    if (text[i] < '0' || text[i] > '9' || ns > uint64_t{1} << 50 || decimals == 3)
      return failure(EINVAL, "a time in microseconds is expected");
    ns = ns * 10 + (uint64_t)(text[i] - '0');
    decimals += has_point;
    digits++;
  }
  if (!digits)
    return failure(EINVAL, "a time in microseconds is expected");
  for (; decimals < 3; decimals++)
    ns *= 10;
  if (tsc_is_invariant() && ns)
    ns = tsc_ticks_of_ns(ns) + 1; // up, or less would be read back
  __atomic_store_n(&g_max, ns, __ATOMIC_RELAXED);
  return {};
}

void report_latency_misses() {
  if (g_functions.size())
    g_probe.ops.state->filter.report_misses("set_latency_function");
}

void show_latency_functions(LatencyText &text) {
  text.add(g_functions.c_str());
}

void show_latency_marks(LatencyText &text) {
  if (g_has_marks)
    text.add(g_begin.text, g_begin.bytes).add(",").add(g_end.text, g_end.bytes);
}

void show_max_latency(LatencyText &text) {
  uint64_t longest = __atomic_load_n(&g_max, __ATOMIC_RELAXED);
  uint64_t ns = tsc_is_invariant() ? ns_of_tsc_ticks(longest) : longest, rest = ns % 1000;
  text.number(ns / 1000).add(".").add(rest < 100 ? "0" : "").add(rest < 10 ? "0" : "").number(rest);
}

Status start_latency() {
  bool waits = g_is_set && !(g_probe.ops.flags & FTRACE_OPS_FL_ENABLED);
  return waits ? add_ops(&g_probe.ops) : Status{};
}

void latency_at_mark(const char *text, uint64_t bytes) {
  if (!__atomic_load_n(&g_has_marks, __ATOMIC_ACQUIRE))
    return;
  bytes -= bytes && text[bytes - 1] == '\n';
  bool begins = g_begin.is(text, bytes);
  TracerThread *thread = begins || g_end.is(text, bytes) ? tracer_thread() : nullptr;
  if (!thread)
    return;
  if (!begins && thread->mark_time) {
    if (is_longest(thread, {thread->mark_time, thread->mark_spent})) {
      uint64_t before = read_time();
      take_snapshots();
      thread->snapshot_time += read_time() - before;
    }
    thread->mark_time = 0;
  }
  if (begins) {
    Start start = start_of(thread);
    thread->mark_time = start.time;
    thread->mark_spent = start.spent;
  }
}

} // namespace nophook
