// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tracers of instances: function, and function_graph by exits as an fprobe has them. Events and
// their order are those of the main tracers.

#include "base/lock.h"
#include "ops/kept_calls.h"
#include "ops/thread.h"
#include "tracers/callbacks.h"
#include "tracers/capture_plan.h"
#include "tracers/instance.h"
#include "tracers/stack_trace.h"
#include "tracers/value_room.h"

#include <errno.h>

namespace nophook {

namespace {

// In the frame of a call that will return.
struct InstanceCall {
  uint64_t signature; // of its entry
};

Instance *instance_of(const ftrace_ops *ops) {
  return static_cast<Instance *>(ops->private_data);
}

uint64_t signature_of(const ftrace_regs *regs) {
  return (uint64_t)regs->id << NOPHOOK_ID_SHIFT;
}

uint32_t options_of(const Instance *instance) {
  return __atomic_load_n(&instance->recorded, __ATOMIC_ACQUIRE);
}

// Calls of this thread, at this moment.
bool is_wanted(const Instance *instance) {
  if (instance->cpus.is_set() && !instance->cpus.has(current_cpu()))
    return false;
  return !instance->threads.is_set() ||
         instance->threads.has(this_thread()->tid, instance->buffer.process->owner);
}

void function_entry(unsigned long ip, unsigned long parent_ip, ftrace_ops *ops, ftrace_regs *regs) {
  Instance *instance = instance_of(ops);
  if (!is_wanted(instance))
    return;
  const uint32_t options = options_of(instance);
  {
    ValueRoom room(regs, options & kFuncArgs);
    if (room.values())
      capture_entry(capture_plan(regs->id), regs, room.values());
    room.write(instance->buffer,
               {NOPHOOK_EVENT_FUNCTION, signature_of(regs), 0, parent_ip, nullptr, 0});
  }
  if (options & kFuncStackTrace)
    write_stack_trace(instance->buffer, ip, regs);
}

void graph_entry(unsigned long, unsigned long, ftrace_ops *ops, ftrace_regs *regs) {
  Instance *instance = instance_of(ops);
  if (!is_wanted(instance))
    return;
  auto *call = static_cast<InstanceCall *>(begin_exit(reinterpret_cast<fprobe *>(ops), regs));
  uint32_t kind = call                 ? NOPHOOK_EVENT_ENTRY
                  : is_tail_call(regs) ? NOPHOOK_EVENT_TAIL
                                       : NOPHOOK_EVENT_ENTRY_ONLY;
  const uint64_t frame = regs->rsp - 8;
  ValueRoom room(regs, options_of(instance) & kFuncgraphArgs);
  if (room.values())
    capture_entry(capture_plan(regs->id), regs, room.values());
  uint64_t written = room.write(instance->buffer, {kind, signature_of(regs), frame, 0, nullptr, 0});
  if (call)
    call->signature = written;
}

void graph_exit(fprobe *probe, unsigned long, unsigned long, ftrace_regs *regs, void *data) {
  const auto *call = static_cast<const InstanceCall *>(data);
  Instance *instance = instance_of(&probe->ops);
  ValueRoom room(regs, options_of(instance) & kFuncgraphRetval);
  if (room.values())
    capture_exit(capture_plan(regs->id), regs, room.values());
  room.write(instance->buffer, {NOPHOOK_EVENT_EXIT, call->signature, 0, 0, nullptr, 0});
}

Status begin_function(fprobe *probe) {
  NOPHOOK_TRY(initialise_ops(&probe->ops, Role::kCallback));
  probe->ops.state->exit_bytes = 0;
  probe->ops.func = function_entry;
  return {};
}

Status begin_graph(fprobe *probe) {
  probe->exit_handler = graph_exit;
  probe->entry_data_size = sizeof(InstanceCall);
  NOPHOOK_TRY(bind_probe(probe));
  probe->ops.func = graph_entry;
  return {};
}

struct InstanceTracer {
  const char *name;
  uint32_t event; // what the buffer's header says
  Status (*begin)(fprobe *probe);
};
constexpr InstanceTracer kTracers[] = {
    {"nop", NOPHOOK_EVENT_NONE, nullptr},
    {"function", NOPHOOK_EVENT_FUNCTION, begin_function},
    {"function_graph", NOPHOOK_EVENT_ENTRY, begin_graph},
};

const InstanceTracer *find_tracer(const char *name) {
  uint64_t bytes = text_length(name) + 1;
  for (const InstanceTracer &tracer : kTracers)
    if (equal_bytes(tracer.name, name, bytes))
      return &tracer;
  return nullptr;
}

Status start(Instance *instance, const InstanceTracer &wanted) {
  fprobe &probe = instance->probe;
  if (instance->recorded & kValueOptions)
    NOPHOOK_TRY(prepare_capture_plans());
  NOPHOOK_TRY(instances_follow_modules());
  NOPHOOK_TRY(wanted.begin(&probe));
  NOPHOOK_TRY(prepare_threads());
  instance->buffer.tracer = instance->buffer.header->tracer = wanted.event;
  instance->buffer.header->tracer_off = 0;
  buffer_begin_anew(instance->buffer);
  instance->tracer = wanted.name;
  Status status = add_ops(&probe.ops);
  if (!status.ok())
    instance->tracer = kTracers[0].name;
  return status;
}

} // namespace

uint32_t instance_tracer_count() {
  return sizeof kTracers / sizeof *kTracers;
}

const char *instance_tracer_name(uint32_t number) {
  return kTracers[number].name;
}

Status stop_instance_tracer(Instance *instance) {
  fprobe &probe = instance->probe;
  if (!(probe.ops.flags & FTRACE_OPS_FL_ENABLED))
    return {};
  NOPHOOK_TRY(can_synchronize_callbacks());
  if (probe.slot)
    silence_probe(&probe); // calls that are open have no exits any more
  Status status = remove_ops(&probe.ops);
  if (!status.ok()) {
    if (probe.slot)
      revive_probe(&probe);
    return status;
  }
  instance->tracer = kTracers[0].name;
  buffer_tracer_off(instance->buffer);
  return {};
}

void finish_instance_tracer(Instance *instance) {
  if (instance->probe.ops.flags & FTRACE_OPS_FL_REMOVING)
    finish_removal(&instance->probe.ops);
}

Status set_instance_tracer(Instance *instance, const char *name) {
  const InstanceTracer *wanted = find_tracer(name);
  if (!wanted)
    return failure(EINVAL, "unknown tracer of an instance (nop, function, function_graph)");
  {
    RuntimeLock lock;
    if (instance->tracer == wanted->name)
      return {};
    NOPHOOK_TRY(stop_instance_tracer(instance));
  }
  if (nophook_calls)
    NOPHOOK_TRY(synchronize_callbacks());
  RuntimeLock lock;
  finish_instance_tracer(instance);
  if (instance->probe.ops.flags & FTRACE_OPS_FL_ENABLED)
    return failure(EBUSY, "another thread is changing the tracer");
  return wanted->begin ? start(instance, *wanted) : Status{};
}

Status set_instance_option(Instance *instance, uint32_t option, bool on) {
  if (on && option & kValueOptions) {
    NOPHOOK_TRY(prepare_threads());
    NOPHOOK_TRY(prepare_capture_plans());
    report_unreadable();
  }
  uint32_t options = on ? instance->recorded | option : instance->recorded & ~option;
  __atomic_store_n(&instance->recorded, options, __ATOMIC_RELEASE);
  return {};
}

Status instance_filter(Instance *instance, TracerFilter which, Filter **filter) {
  ftrace_ops *ops = &instance->probe.ops;
  NOPHOOK_TRY(initialise_ops(ops, Role::kCallback));
  *filter = which == TracerFilter::kFilter ? &ops->state->filter : &ops->state->notrace;
  return {};
}

Status replace_instance_filter(Instance *instance, TracerFilter which, Filter *changed) {
  Filter *filter;
  NOPHOOK_TRY(instance_filter(instance, which, &filter));
  filter->swap(*changed);
  Status status = refilter(&instance->probe.ops);
  if (!status.ok())
    filter->swap(*changed);
  return status;
}

} // namespace nophook
