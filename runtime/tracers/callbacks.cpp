// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tracers/callbacks.h"

#include "base/bytes.h"
#include "base/leb.h"
#include "base/log.h"
#include "buffer/buffer.h"
#include "buffer/clock.h"
#include "tracers/capture.h"
#include "tracers/counters.h"
#include "tracers/rates.h"
#include "tracers/rules.h"
#include "tracers/stack_trace.h"
#include "tracers/thread.h"
#include "tracers/value_room.h"

#include <errno.h>

namespace nophook {

uint32_t g_trace_options = 0;

namespace {

constexpr struct {
  const char *name;
  TraceOption option;
} kOptions[] = {
    {"func-args", kFuncArgs},
    {"funcgraph-args", kFuncgraphArgs},
    {"funcgraph-retval", kFuncgraphRetval},
    {"func_stack_trace", kFuncStackTrace},
    {"func-no-repeats", kFuncNoRepeats},
    {"function-fork", kFunctionFork},
    {"event-fork", kEventFork},
};

uint64_t signature_of(const ftrace_regs *regs) {
  return (uint64_t)regs->id << NOPHOOK_ID_SHIFT;
}

// What has come again is told before the next other call of the thread; what it still holds at the
// end is not.
void tell_repeats(LastCall *last) {
  if (!last->repeats)
    return;
  uint8_t text[48] = {NOPHOOK_VALUES_REPEATS};
  uint8_t *at = put_uleb(text + 1, last->id - 1);
  at = put_sleb(at, last->parent);
  at = put_uleb(at, last->repeats);
  at = put_uleb(at, clock_peek(g_buffer.clock) - last->time);
  last->repeats = 0;
  uint64_t signature = (uint64_t)NOPHOOK_CONTROL_MARK << NOPHOOK_ID_SHIFT;
  write_event({NOPHOOK_EVENT_CONTROL, signature, 0, 0, text, (uint32_t)(at - text)});
}

// A handler between these lines at worst makes one repeat two events, or two of them one.
bool is_repeat(uint64_t id, uint64_t parent) {
  TracerThread *thread = tracer_thread();
  if (!thread)
    return false;
  LastCall &last = thread->last;
  if (last.id == id + 1 && last.parent == parent) {
    last.repeats++;
    last.time = clock_peek(g_buffer.clock);
    return true;
  }
  tell_repeats(&last);
  last.parent = parent;
  last.id = id + 1;
  return false;
}

void function_entry(unsigned long ip, unsigned long parent_ip, ftrace_ops *, ftrace_regs *regs) {
  if (g_rules.any && !(is_wanted_here() && rate_allows(regs->id)))
    return;
  if (g_trace_options & kFuncNoRepeats && is_repeat(regs->id, parent_ip))
    return;
  {
    ValueRoom room(regs, g_trace_options & kFuncArgs);
    if (room.values())
      capture_entry(capture_plan(regs->id), regs, room.values());
    room.write({NOPHOOK_EVENT_FUNCTION, signature_of(regs), 0, parent_ip, nullptr, 0});
  }
  if (g_trace_options & kFuncStackTrace)
    write_stack_trace(g_buffer, ip, regs);
}

uint32_t g_counted = 0; // perf_counters, as they were when the tracer was set

// Of a call that will return, in its frame.
struct GraphCall {
  uint64_t signature;
  uint64_t start; // the time at its entry, if only calls that last are wanted
  uint32_t depth;
  uint8_t what;
  CounterValues counters[]; // one if any are wanted
};
enum : uint8_t {
  kRecorded, // its entry is
  kTimed,    // nothing yet
  kHides,    // and nothing will be, of all that it calls
};

// What is to be done with a call that begins at `frame`, by the kernel's rules in the kernel's
// order. `*stack` is null if nobody needs to know what is open.
enum class Verdict : uint8_t { kSkip, kHide, kRecord };
Verdict judge(uint32_t id, uint64_t frame, OpenStack **stack) {
  if (!g_rules.any)
    return Verdict::kRecord;
  if (g_rules.in_graph) {
    TracerThread *thread = tracer_thread();
    if (!thread)
      return Verdict::kSkip;
    *stack = thread->calls.enter(frame);
    if ((*stack)->hidden)
      return Verdict::kSkip;
    if (g_rules.hidden.has(id))
      return Verdict::kHide;
    uint32_t depth = (*stack)->count;
    if (!depth && g_rules.roots.is_set() && !g_rules.roots.has(id))
      return Verdict::kSkip;
    if (g_rules.max_depth && depth >= g_rules.max_depth)
      return Verdict::kSkip;
  }
  return is_wanted_here() && rate_allows(id) ? Verdict::kRecord : Verdict::kSkip;
}

// A tail call ends with the call around it, so that one's end will be its end. Any other function
// that is not called through ends unseen: nobody could say what is beneath it.
void graph_entry(unsigned long, unsigned long, ftrace_ops *ops, ftrace_regs *regs) {
  const uint64_t frame = regs->rsp - 8;
  OpenStack *stack = nullptr;
  Verdict verdict = judge(regs->id, frame, &stack);
  if (verdict == Verdict::kSkip)
    return;
  auto *call = static_cast<GraphCall *>(begin_exit(reinterpret_cast<fprobe *>(ops), regs));
  bool ends = call || is_tail_call(regs);
  if (verdict == Verdict::kHide) {
    if (call)
      call->what = kHides;
    if (ends)
      OpenCalls::hide(stack, frame);
    return;
  }
  if (call) {
    call->what = kRecorded;
    call->depth = stack ? stack->count : 0;
  }
  if (stack && ends)
    OpenCalls::keep(stack, frame);
  if (g_rules.thresh_ticks) {
    if (call) {
      call->what = kTimed;
      call->signature = signature_of(regs);
      if (g_counted)
        read_counters(g_counted, call->counters);
      call->start = clock_peek(g_buffer.clock);
    }
    return;
  }
  uint32_t kind = call ? NOPHOOK_EVENT_ENTRY : ends ? NOPHOOK_EVENT_TAIL : NOPHOOK_EVENT_ENTRY_ONLY;
  ValueRoom room(regs, g_trace_options & kFuncgraphArgs);
  if (room.values())
    capture_entry(capture_plan(regs->id), regs, room.values());
  uint64_t written = room.write({kind, signature_of(regs), frame, 0, nullptr, 0});
  if (!call)
    return;
  call->signature = written;
  if (g_counted)
    read_counters(g_counted, call->counters);
}

// Writes `event`, the exit of `call`, whose values are the head so far. In front of `values` stand
// that head and what was counted.
void write_exit(NewEvent &event, const GraphCall *call, CapturedValues *values) {
  if (values) {
    uint8_t *at = values->room + event.value_bytes;
    copy_bytes(values->room, event.values, event.value_bytes);
    if (g_counted)
      at = put_counters(at, g_counted, *call->counters);
    auto bytes = (uint32_t)(at - values->room);
    auto *text = reinterpret_cast<uint8_t *>(values) + offsetof(CapturedValues, text);
    for (uint32_t i = 1; i <= bytes; i++) // they may overlap
      text[-(int)i] = values->room[bytes - i];
    event.values = text - bytes;
    event.value_bytes = bytes + values->bytes;
  }
  write_event(event);
}

void graph_exit(fprobe *, unsigned long, unsigned long, ftrace_regs *regs, void *data) {
  auto *call = static_cast<GraphCall *>(data);
  uint64_t ticks = call->what == kTimed ? clock_peek(g_buffer.clock) - call->start : 0;
  const uint64_t frame = regs->rsp - 8;
  if (g_counted)
    read_growth(g_counted, call->counters);
  if (g_rules.in_graph)
    if (TracerThread *thread = tracer_thread())
      thread->calls.leave(frame);
  if (call->what == kHides || (call->what == kTimed && ticks < g_rules.thresh_ticks))
    return;
  ValueRoom room(regs, g_trace_options & kFuncgraphRetval || g_counted);
  if (room.values() && g_trace_options & kFuncgraphRetval)
    capture_exit(capture_plan(regs->id), regs, room.values());
  uint8_t head[1 + 10 + 5], *end = head;
  if (call->what == kTimed) {
    *end++ = NOPHOOK_VALUES_TOOK;
    end = put_uleb(put_uleb(end, ticks), call->depth);
  }
  NewEvent event = {
      NOPHOOK_EVENT_EXIT,    call->signature, call->what == kTimed ? frame : 0, 0, head,
      (uint32_t)(end - head)};
  write_exit(event, call, room.values());
}

Status prepare() {
  NOPHOOK_TRY(prepare_threads()); // knows how wide vector registers are
  NOPHOOK_TRY(prepare_rates());
  if (g_trace_options & kValueOptions)
    report_unreadable();
  return {};
}

Status set_one(const char *text, uint64_t bytes) {
  auto is = [&](const char *name, uint64_t from) {
    return bytes == text_length(name) + from && equal_bytes(text + from, name, bytes - from);
  };
  for (const auto &option : kOptions) {
    if (is(option.name, 0)) {
      g_trace_options |= option.option;
      return {};
    }
    if (bytes > 2 && equal_bytes(text, "no", 2) && is(option.name, 2)) {
      g_trace_options &= ~(uint32_t)option.option;
      return {};
    }
  }
  return failure(EINVAL, "unknown option (func-args, funcgraph-args, funcgraph-retval, "
                         "func_stack_trace, func-no-repeats, function-fork, event-fork)");
}

} // namespace

void report_unreadable() {
  if (!can_read_memory())
    log_line("the kernel refuses process_vm_readv: what pointers lead to is not shown");
}

bool is_tail_call(const ftrace_regs *regs) {
  return is_body_return(*reinterpret_cast<const uint64_t *>(regs->rsp));
}

Status set_trace_options(const char *text, uint64_t bytes) {
  for (uint64_t at = 0, end; at < bytes; at = end + 1) {
    for (end = at; end < bytes && text[end] != ',';)
      end++;
    if (end > at)
      NOPHOOK_TRY(set_one(text + at, end - at));
  }
  set_function_fork(g_trace_options & kFunctionFork);
  return {};
}

Status trace_function_by_callback(fprobe *probe) {
  probe->ops.func = function_entry;
  return prepare();
}

Status trace_graph_by_callback(fprobe *probe) {
  probe->exit_handler = graph_exit;
  g_counted = g_perf_counters;
  choose_counters(g_counted);
  probe->entry_data_size = sizeof(GraphCall) + (g_counted ? sizeof(CounterValues) : 0);
  NOPHOOK_TRY(bind_probe(probe));
  probe->ops.func = graph_entry;
  return prepare();
}

} // namespace nophook
