// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures between two points of a thread, raises the maximum, and takes the snapshot.

#include "tracers/latency.h"

#include "base/limit_text.h"
#include "buffer/snapshot.h"
#include "buffer/trace_buffer.h"
#include "buffer/trace_clock.h"
#include "capture/tracer_thread.h"
#include "ops/fprobe.h"
#include "ops/own_stack.h"
#include "ops/thread.h"

#include <errno.h>

namespace nophook {

// A point from which time is measured, in ticks of read_time().
struct Latency::Start {
  uint64_t time;
  uint64_t spent; // time that the thread has spent for snapshots so far
};

namespace {

constexpr const char *kSeparators = ", \t\n";
// A pattern without functions: an empty filter would have all functions.
constexpr const char *kNoFunction = "\001";

uint64_t read_time() {
  return tsc_is_invariant() ? read_tsc() : monotonic_ns();
}

uint32_t g_with_marks = 0;

Latency *latency_of(const fprobe *probe) {
  return static_cast<Latency *>(probe->ops.private_data);
}

} // namespace

uint32_t arrays_with_latency_marks() {
  return __atomic_load_n(&g_with_marks, __ATOMIC_ACQUIRE);
}

// Takes snapshots. Threads that raise the maximum while another thread copies leave it to that
// thread to copy again.
void Latency::take_snapshots() {
  while (__atomic_exchange_n(&is_newer_, 0, __ATOMIC_ACQ_REL))
    if (!take_latency_snapshot(*buffer_)) {
      __atomic_store_n(&is_newer_, 1, __ATOMIC_RELEASE);
      return;
    }
}

// Whether the time since `start` is the longest.
bool Latency::is_longest(const TracerThread *thread, const Start &start) {
  uint64_t spent = thread->snapshot_time - start.spent, took = read_time() - start.time;
  if (thread->snapshot_time < start.spent) // the call began in the parent of a fork child
    spent = 0;
  took = took > spent ? took - spent : 0;
  uint64_t longest = __atomic_load_n(&max_, __ATOMIC_RELAXED);
  do
    if (took <= longest)
      return false;
  while (!__atomic_compare_exchange_n(&max_, &longest, took, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED));
  __atomic_store_n(&is_newer_, 1, __ATOMIC_RELEASE);
  return true;
}

int Latency::at_entry(fprobe *probe, unsigned long, unsigned long, ftrace_regs *, void *data) {
  TracerThread *thread = tracer_thread();
  if (!thread || !latency_of(probe)->functions_.size())
    return 1; // the call gets no handler at its end
  *static_cast<Start *>(data) = {read_time(), thread->snapshot_time};
  return 0;
}

void Latency::at_exit(fprobe *probe, unsigned long, unsigned long, ftrace_regs *, void *data) {
  Latency *latency = latency_of(probe);
  TracerThread *thread = tracer_thread();
  if (!thread || !latency->is_longest(thread, *static_cast<const Start *>(data)))
    return;
  uint64_t before = read_time();
  run_on_own_stack([=] { latency->take_snapshots(); });
  thread->snapshot_time += read_time() - before;
}

Status Latency::prepare_probe(Buffer &buffer) {
  buffer_ = &buffer;
  if (is_bound_)
    return {};
  probe_.entry_handler = at_entry;
  probe_.exit_handler = at_exit;
  probe_.entry_data_size = sizeof(Start);
  probe_.ops.private_data = this;
  probe_.ops.flags |=
      FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_SAVE_REGS;
  NOPHOOK_TRY(bind_probe(&probe_));
  is_bound_ = true;
  return {};
}

Status Latency::set_functions(Buffer &buffer, const char *text, uint64_t bytes) {
  while (bytes && text[bytes - 1] == '\n')
    bytes--;
  if (!bytes && !is_bound_)
    return {};
  decltype(functions_) kept;
  if (kept.add(text, bytes).size() < bytes)
    return failure(ENAMETOOLONG, "set_latency_function is too long");
  NOPHOOK_TRY(prepare_probe(buffer));
  const char *wanted = bytes ? kept.c_str() : kNoFunction;
  Filter &filter = probe_.ops.state->filter;
  NOPHOOK_TRY(
      filter.change(wanted, text_length(wanted), true, kSeparators, Filter::Misses::kAllowed));
  functions_ = kept;
  if (probe_.ops.flags & FTRACE_OPS_FL_ENABLED)
    return refilter(&probe_.ops);
  return first_module() ? add_ops(&probe_.ops) : Status{};
}

Status Latency::set_marks(Buffer &buffer, const char *text, uint64_t bytes) {
  while (bytes && text[bytes - 1] == '\n')
    bytes--;
  clear_marks();
  if (!bytes)
    return {};
  uint64_t comma = 0;
  while (comma < bytes && text[comma] != ',')
    comma++;
  uint64_t end_bytes = comma < bytes ? bytes - comma - 1 : 0;
  if (!comma || !end_bytes || comma > sizeof begin_.text || end_bytes > sizeof end_.text)
    return failure(EINVAL, limit_text<"two texts are expected, BEGIN,END, of at most ",
                                      sizeof MarkText::text, " bytes">);
  NOPHOOK_TRY(prepare_threads());
  copy_bytes(begin_.text, text, comma);
  copy_bytes(end_.text, text + comma + 1, end_bytes);
  buffer_ = &buffer;
  begin_.bytes = (uint32_t)comma;
  end_.bytes = (uint32_t)end_bytes;
  static uint64_t pairs = 0;
  __atomic_store_n(&pair_, ++pairs, __ATOMIC_RELEASE);
  __atomic_fetch_or(&g_with_marks, 1u << buffer.number, __ATOMIC_RELEASE);
  return {};
}

void Latency::clear_marks() {
  if (!pair_)
    return;
  __atomic_fetch_and(&g_with_marks, ~(1u << buffer_->number), __ATOMIC_RELAXED);
  __atomic_store_n(&pair_, (uint64_t)0, __ATOMIC_SEQ_CST);
  // Pairs with at_mark()'s fence: 0 before the texts change.
  __atomic_thread_fence(__ATOMIC_RELEASE);
}

Status Latency::set_max(const char *text, uint64_t bytes) {
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
    ns = tsc_ticks_of_ns(ns) + 1; // rounded up, or a smaller value would be read back
  __atomic_store_n(&max_, ns, __ATOMIC_RELAXED);
  return {};
}

void Latency::report_misses(const char *folder) const {
  if (functions_.size())
    probe_.ops.state->filter.report_misses(folder, "set_latency_function");
}

void Latency::show_functions(LatencyText &text) const {
  text.add(functions_.c_str());
}

void Latency::show_marks(LatencyText &text) const {
  if (pair_)
    text.add(begin_.text, begin_.bytes).add(",").add(end_.text, end_.bytes);
}

void Latency::show_max(LatencyText &text) const {
  uint64_t longest = __atomic_load_n(&max_, __ATOMIC_RELAXED);
  uint64_t ns = tsc_is_invariant() ? ns_of_tsc_ticks(longest) : longest, rest = ns % 1000;
  text.number(ns / 1000).add(".").add(rest < 100 ? "0" : "").add(rest < 10 ? "0" : "").number(rest);
}

Status Latency::start() {
  bool waits = is_bound_ && !(probe_.ops.flags & FTRACE_OPS_FL_ENABLED);
  return waits ? add_ops(&probe_.ops) : Status{};
}

void Latency::leave() {
  clear_marks();
  if (!is_bound_)
    return;
  silence_probe(&probe_);
  if (probe_.ops.flags & FTRACE_OPS_FL_ENABLED)
    cut_off_ops(&probe_.ops);
}

void Latency::finish_leaving() {
  if (is_bound_) {
    if (probe_.ops.flags & FTRACE_OPS_FL_REMOVING)
      finish_removal(&probe_.ops);
    unbind_probe(&probe_);
    forget_ops(&probe_.ops);
  }
  *this = {};
}

void Latency::at_mark(const char *text, uint64_t bytes) {
  const uint64_t pair = __atomic_load_n(&pair_, __ATOMIC_ACQUIRE);
  if (!pair)
    return;
  bytes -= bytes && text[bytes - 1] == '\n';
  const bool begins = begin_.is(text, bytes), ends = !begins && end_.is(text, bytes);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (__atomic_load_n(&pair_, __ATOMIC_RELAXED) !=
      pair) // the texts were being replaced: set_marks()
    return;
  TracerThread *thread = begins || ends ? tracer_thread() : nullptr;
  if (!thread)
    return;
  ThreadMark &mark = thread->in[buffer_->number].mark;
  if (!begins && mark.time && mark.pair == pair) {
    if (is_longest(thread, {mark.time, mark.spent})) {
      uint64_t before = read_time();
      take_snapshots();
      thread->snapshot_time += read_time() - before;
    }
    mark.time = 0;
  }
  if (begins)
    mark = {read_time(), thread->snapshot_time, pair};
}

} // namespace nophook
