// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The callbacks of the tracers. A plain event takes the shortest way; every option has a function
// of its own, so that plain events do not pay for its stack frame.

#include "tracers/callbacks.h"

#include "base/bytes.h"
#include "base/leb.h"
#include "base/log.h"
#include "buffer/event_words.h"
#include "buffer/trace_buffer.h"
#include "buffer/trace_clock.h"
#include "capture/capture.h"
#include "capture/capture_scratch.h"
#include "capture/counters.h"
#include "capture/register_values.h"
#include "capture/stack_trace.h"
#include "capture/tracer_thread.h"

#include <errno.h>

namespace nophook {

namespace {

trace_array &array_of(const ftrace_ops *ops) {
  return *static_cast<trace_array *>(ops->private_data);
}

uint64_t signature_of(const ftrace_regs *regs) {
  return (uint64_t)regs->id << NOPHOOK_ID_SHIFT;
}

// Repetitions are recorded before the next different call of the thread; repetitions at the end of
// the trace are not recorded.
void tell_repeats(Buffer &buffer, LastCall *last) {
  if (!last->repeats)
    return;
  uint8_t text[48] = {NOPHOOK_VALUES_REPEATS};
  uint8_t *at = put_uleb(text + 1, last->id - 1);
  at = put_sleb(at, last->parent);
  at = put_uleb(at, last->repeats);
  at = put_uleb(at, clock_peek(buffer.clock) - last->time);
  last->repeats = 0;
  uint64_t signature = (uint64_t)NOPHOOK_CONTROL_MARK << NOPHOOK_ID_SHIFT;
  write_event(buffer, {NOPHOOK_EVENT_CONTROL, signature, 0, 0, text, (uint32_t)(at - text)});
}

// A handler between these lines at worst makes one repeat two events, or two of them one.
bool is_repeat(trace_array &tr, uint64_t id, uint64_t parent) {
  TracerThread *thread = tracer_thread();
  if (!thread)
    return false;
  LastCall &last = thread->in[tr.number].last;
  const uint64_t starts = __atomic_load_n(&tr.starts, __ATOMIC_RELAXED);
  if (last.start != starts)
    last = {0, starts, 0, 0, 0};
  if (last.id == id + 1 && last.parent == parent) {
    last.repeats++;
    last.time = clock_peek(tr.buffer().clock);
    return true;
  }
  tell_repeats(tr.buffer(), &last);
  last.parent = parent;
  last.id = id + 1;
  return false;
}

// Whether nothing is to be decided or kept: then the event is that of the assembly. Each call
// checks, so a rule or an option that has just been set counts.
bool is_plain(const trace_array &tr, uint32_t options) {
  return !(tr.rules.beyond_plain() & (options | Rules::kHasRules | kHasCounters | kHasOtherClock));
}

// Apart, so that neither the plain event nor a call that a rule leaves out has room for it on the
// stack.
__attribute__((noinline)) void function_in_full(unsigned long ip, unsigned long parent_ip,
                                                trace_array &tr, ftrace_regs *regs) {
  const uint32_t options = tr.options_now();
  if (options & kFuncNoRepeats && is_repeat(tr, regs->id, parent_ip))
    return;
  {
    CaptureScratch room(regs, options & kFuncArgs && regs->has_all);
    if (room.values())
      capture_entry(capture_plan(regs->id), regs, room.values());
    room.write(tr.buffer(), {NOPHOOK_EVENT_FUNCTION, signature_of(regs), 0, parent_ip, nullptr, 0});
  }
  if (options & kFuncStackTrace && regs->has_all)
    write_stack_trace(tr.buffer(), ip, regs);
}

// Writes an event for which only general registers are kept, in the steps of a plain one: by the
// three functions ending in _with_registers. False: this way is not open, and nothing has been
// written. A thread that sees the option in options_now() also sees the plans.
bool function_with_registers(trace_array &tr, unsigned long parent_ip, const ftrace_regs *regs) {
  RegisterValues values;
  uint64_t told;
  return tr.options_now() & kFuncArgs && regs->has_all &&
         keep_registers(capture_plan(regs->id)->entry, regs, &values) &&
         try_plain_event(tr.buffer(), NOPHOOK_EVENT_FUNCTION, signature_of(regs), 0, parent_ip,
                         &told, values.words, values.count);
}

// A function of its own, so that the plain event saves no registers for it.
__attribute__((noinline)) void function_with_values(unsigned long ip, unsigned long parent_ip,
                                                    trace_array &tr, ftrace_regs *regs) {
  if (!function_with_registers(tr, parent_ip, regs))
    function_in_full(ip, parent_ip, tr, regs);
}

void function_entry(unsigned long ip, unsigned long parent_ip, ftrace_ops *ops, ftrace_regs *regs) {
  trace_array &tr = array_of(ops);
  constexpr uint32_t kOthers = kFuncStackTrace | kFuncNoRepeats;
  if (is_plain(tr, kOthers | kFuncArgs))
    write_plain_event(tr.buffer(), NOPHOOK_EVENT_FUNCTION, signature_of(regs), parent_ip);
  else if (is_plain(tr, kOthers))
    function_with_values(ip, parent_ip, tr, regs);
  else if (tr.rules.wants(regs->id))
    function_in_full(ip, parent_ip, tr, regs);
}

// The data of a call that will return, in its frame.
struct GraphCall {
  uint64_t signature;
  uint64_t start; // time of its entry, if only calls of some duration are recorded
  uint32_t depth;
  uint8_t what;
  CounterValues counters[]; // counters at its entry: one element if any are recorded
};
enum : uint8_t {
  kRecorded, // its entry is recorded
  kTimed,    // nothing is recorded yet
  kHides,    // nothing is recorded, nor any call inside it
};

// The thread's open calls, for the array. Null without memory.
OpenCalls *calls_in(const trace_array &tr) {
  TracerThread *thread = tracer_thread();
  return thread ? open_calls(thread, tr.number) : nullptr;
}

// The decision about a call that begins at `frame`, by the kernel's rules in the kernel's order.
// `*stack` is null if no rule needs the open calls.
enum class Verdict : uint8_t { kSkip, kHide, kRecord };
Verdict judge(const trace_array &tr, uint32_t id, uint64_t frame, OpenStack **stack) {
  const Rules &rules = tr.rules;
  if (!rules.in_graph()) // and graph_entry() has asked what the call itself decides
    return Verdict::kRecord;
  OpenCalls *calls = calls_in(tr);
  if (!calls)
    return Verdict::kSkip;
  *stack = calls->enter(frame);
  if ((*stack)->hidden)
    return Verdict::kSkip;
  if (rules.hidden.has(id))
    return Verdict::kHide;
  uint32_t depth = (*stack)->count, most = rules.max_depth();
  if (!depth && rules.roots.is_set() && !rules.roots.has(id))
    return Verdict::kSkip;
  if (most && depth >= most)
    return Verdict::kSkip;
  return rules.wants(id) ? Verdict::kRecord : Verdict::kSkip;
}

// Records an entry with its options. A tail call ends with the call around it. Any other function
// that is not called through ends unseen: no one could know which calls are beneath it.
__attribute__((noinline)) void graph_entry_in_full(trace_array &tr, ftrace_regs *regs) {
  const uint64_t frame = regs->general.call_frame();
  OpenStack *stack = nullptr;
  Verdict verdict = judge(tr, regs->id, frame, &stack);
  if (verdict == Verdict::kSkip)
    return;
  auto *call = static_cast<GraphCall *>(begin_exit(&tr.probe, regs));
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
  if (tr.rules.thresh_ticks()) {
    if (call) {
      call->what = kTimed;
      call->signature = signature_of(regs);
      if (tr.counted)
        read_counters(tr.number, tr.counted, call->counters);
      call->start = clock_peek(tr.buffer().clock);
    }
    return;
  }
  uint32_t kind = call ? NOPHOOK_EVENT_ENTRY : ends ? NOPHOOK_EVENT_TAIL : NOPHOOK_EVENT_ENTRY_ONLY;
  CaptureScratch room(regs, tr.options_now() & kFuncgraphArgs);
  if (room.values())
    capture_entry(capture_plan(regs->id), regs, room.values());
  uint64_t written = room.write(tr.buffer(), {kind, signature_of(regs), frame, 0, nullptr, 0});
  if (!call)
    return;
  call->signature = written;
  if (tr.counted)
    read_counters(tr.number, tr.counted, call->counters);
}

// A function of its own, so that the plain event saves no registers for it.
__attribute__((noinline)) void write_slow_entry(trace_array &tr, const ftrace_regs *regs,
                                                GraphCall *call) {
  call->signature = write_slow_event(tr.buffer(), NOPHOOK_EVENT_ENTRY, signature_of(regs),
                                     regs->general.call_frame(), 0);
}

bool graph_entry_with_registers(trace_array &tr, ftrace_regs *regs) {
  RegisterValues values;
  if (!(tr.options_now() & kFuncgraphArgs) ||
      !keep_registers(capture_plan(regs->id)->entry, regs, &values))
    return false;
  auto *call = static_cast<GraphCall *>(begin_first_exit(&tr.probe, regs));
  if (!call)
    return false;
  call->what = kRecorded;
  if (try_plain_event(tr.buffer(), NOPHOOK_EVENT_ENTRY, signature_of(regs),
                      regs->general.call_frame(), 0, &call->signature, values.words, values.count))
    return true;
  regs->exits--;
  return false;
}

__attribute__((noinline)) void graph_entry_with_values(trace_array &tr, ftrace_regs *regs) {
  if (!graph_entry_with_registers(tr, regs))
    graph_entry_in_full(tr, regs);
}

void graph_entry(unsigned long, unsigned long, ftrace_ops *ops, ftrace_regs *regs) {
  trace_array &tr = array_of(ops);
  if (!is_plain(tr, kFuncgraphArgs)) {
    if (is_plain(tr, 0))
      graph_entry_with_values(tr, regs);
    else if (tr.rules.in_graph() || tr.rules.wants(regs->id))
      graph_entry_in_full(tr, regs);
    return;
  }
  auto *call = static_cast<GraphCall *>(begin_first_exit(&tr.probe, regs));
  if (!call) {
    graph_entry_in_full(tr, regs);
    return;
  }
  call->what = kRecorded;
  if (!try_plain_event(tr.buffer(), NOPHOOK_EVENT_ENTRY, signature_of(regs),
                       regs->general.call_frame(), 0, &call->signature))
    write_slow_entry(tr, regs, call);
}

// Writes `event`, the exit of `call`, whose values are the head so far. That head and the counters
// stand in front of `values`.
void write_exit(trace_array &tr, NewEvent &event, const GraphCall *call, CapturedValues *values) {
  if (values) {
    uint8_t *at = values->room + event.value_bytes;
    copy_bytes(values->room, event.values, event.value_bytes);
    if (tr.counted)
      at = put_counters(at, tr.counted, *call->counters);
    auto bytes = (uint32_t)(at - values->room);
    auto *text = reinterpret_cast<uint8_t *>(values) + offsetof(CapturedValues, text);
    for (uint32_t i = 1; i <= bytes; i++) // both ranges may overlap
      text[-(int)i] = values->room[bytes - i];
    event.values = text - bytes;
    event.value_bytes = bytes + values->bytes;
  }
  write_event(tr.buffer(), event);
}

// A function of its own: the stack space of graph_exit() is free again by then.
__attribute__((noinline)) void write_graph_exit(trace_array &tr, const GraphCall *call,
                                                const ftrace_regs *regs, uint64_t ticks) {
  const bool keeps_result = tr.options_now() & kFuncgraphRetval;
  CaptureScratch room(regs, keeps_result || tr.counted);
  if (room.values() && keeps_result)
    capture_exit(capture_plan(regs->id), regs, room.values());
  uint8_t head[1 + 10 + 5], *end = head;
  const bool is_timed = call->what == kTimed;
  if (is_timed) {
    *end++ = NOPHOOK_VALUES_TOOK;
    end = put_uleb(put_uleb(end, ticks), call->depth);
  }
  NewEvent event = {
      NOPHOOK_EVENT_EXIT,    call->signature, is_timed ? regs->general.call_frame() : 0, 0, head,
      (uint32_t)(end - head)};
  write_exit(tr, event, call, room.values());
}

__attribute__((noinline)) void graph_exit_in_full(trace_array &tr, GraphCall *call,
                                                  ftrace_regs *regs) {
  uint64_t ticks = call->what == kTimed ? clock_peek(tr.buffer().clock) - call->start : 0;
  if (tr.counted)
    read_growth(tr.number, tr.counted, call->counters);
  if (tr.rules.in_graph())
    if (OpenCalls *calls = calls_in(tr))
      calls->leave(regs->general.call_frame());
  bool is_recorded =
      call->what != kHides && !(call->what == kTimed && ticks < tr.rules.thresh_ticks());
  if (is_recorded)
    write_graph_exit(tr, call, regs, ticks);
}

bool graph_exit_with_registers(trace_array &tr, const GraphCall *call, const ftrace_regs *regs) {
  RegisterValues values;
  uint64_t told;
  return tr.options_now() & kFuncgraphRetval &&
         keep_registers(capture_plan(regs->id)->exit, regs, &values) &&
         try_plain_event(tr.buffer(), NOPHOOK_EVENT_EXIT, call->signature, 0, 0, &told,
                         values.words, values.count);
}

__attribute__((noinline)) void graph_exit_with_values(trace_array &tr, GraphCall *call,
                                                      ftrace_regs *regs) {
  if (!graph_exit_with_registers(tr, call, regs))
    graph_exit_in_full(tr, call, regs);
}

void graph_exit(fprobe *probe, unsigned long, unsigned long, ftrace_regs *regs, void *data) {
  trace_array &tr = array_of(&probe->ops);
  auto *call = static_cast<GraphCall *>(data);
  if (call->what != kRecorded || !is_plain(tr, 0))
    graph_exit_in_full(tr, call, regs);
  else if (is_plain(tr, kFuncgraphRetval))
    write_plain_event(tr.buffer(), NOPHOOK_EVENT_EXIT, call->signature, 0);
  else
    graph_exit_with_values(tr, call, regs);
}

} // namespace

Status prepare_options(uint32_t options) {
  NOPHOOK_TRY(prepare_threads()); // finds the width of vector registers
  if (options & kValueOptions && !can_read_memory())
    log_line(
        "process_vm_readv is refused, and /proc/self/mem cannot be read: memory behind pointers "
        "is not shown");
  return {};
}

bool is_tail_call(const ftrace_regs *regs) {
  return is_body_return(regs->general.return_address());
}

Status trace_function_by_callback(trace_array &tr) {
  tr.probe.ops.func = function_entry;
  return {};
}

Status trace_function_graph_by_callback(trace_array &tr) {
  tr.probe.exit_handler = graph_exit;
  choose_counters(tr.number, tr.counted);
  tr.probe.entry_data_size = sizeof(GraphCall) + (tr.counted ? sizeof(CounterValues) : 0);
  NOPHOOK_TRY(bind_probe(&tr.probe));
  tr.probe.ops.func = graph_entry;
  return {};
}

} // namespace nophook
