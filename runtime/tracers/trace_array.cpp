// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes, removes and finds instances; and forgets the parent's in a fork child.

#include "tracers/trace_array.h"

#include "base/limit_text.h"
#include "base/lock.h"
#include "base/own_identity.h"
#include "base/syscall.h"
#include "buffer/snapshot.h"
#include "buffer/trace_clock.h"
#include "capture/tracer_thread.h"
#include "ops/adopt.h"
#include "ops/static_calls.h"
#include "ops/thread.h"
#include "tracers/thread_end.h"
#include "tracers/tracer.h"

#include <errno.h>

namespace nophook {

namespace {

trace_array g_arrays[kTraceArrays];
int32_t g_pid = 0;    // process that the instances belong to
uint32_t g_there = 1; // the result of arrays_there()

// All instances, without the top level, for a `for`.
struct Instances {
  trace_array *begin() const { return g_arrays + 1; }
  trace_array *end() const { return g_arrays + kTraceArrays; }
};
Instances instances() {
  return {};
}

int32_t own_pid() {
  return process_id();
}

bool has_name(const trace_array &instance, const char *name, uint64_t bytes) {
  return instance.state == trace_array::kThere && is_text(name, bytes, instance.name.c_str());
}

trace_array *find(const char *name, uint64_t bytes) {
  for (trace_array &instance : instances())
    if (has_name(instance, name, bytes))
      return &instance;
  return nullptr;
}

// Ends a removal: no thread can be in the instance any more. A trigger that was running may have
// switched an event on there.
void finish_removal_of(trace_array *instance) {
  ftrace_ops *ops = &instance->probe.ops;
  instance->leaves(instance->number);
  finish_tracer_removal(*instance);
  if (ops->state)
    forget_ops(ops);
  instance->latency.finish_leaving();
  ops->flags = 0;
  free_snapshots(instance->own_buffer);
  instance->profiler.finish_leaving();
  buffer_close_instance(instance->own_buffer);
  instance->name = {};
  Status kept = instance->rules.clear();
  (void)kept; // without memory for empty sets it keeps its sets, with no event to choose
  instance->changed_options = instance->options = 0;
  close_thread_counters(instance->number);
  instance->perf_counters = instance->counted = 0;
  instance->users = 0;
  instance->state = trace_array::kFree;
}

void leave(trace_array *instance) {
  __atomic_fetch_and(&g_there, ~(1u << instance->number), __ATOMIC_SEQ_CST);
  instance->latency.leave();
  instance->leaves(instance->number);
  instance->state = trace_array::kLeaving;
  instance->leaver = own_pid();
}

// Whether the instance is the parent's, or one that the parent was removing.
bool is_left_over(const trace_array &instance) {
  return instance.state != trace_array::kFree && !buffer_is_own(instance.own_buffer) &&
         instance.leaver != own_pid();
}

// Removes the parent's instances in a fork child, once.
void forget_parents() {
  bool any = false;
  {
    RuntimeLock lock;
    if (g_pid == 0 || g_pid == own_pid())
      return;
    for (trace_array &instance : instances())
      if (is_left_over(instance)) {
        any = true;
        if (!stop_tracer(instance).ok())
          cut_off_ops(&instance.probe.ops);
        leave(&instance);
      }
    g_pid = own_pid();
  }
  if (!any)
    return;
  bool is_waited = wait_for_callbacks().ok();
  RuntimeLock lock;
  for (trace_array &instance : instances())
    if (instance.state == trace_array::kLeaving && !buffer_is_own(instance.own_buffer) && is_waited)
      finish_removal_of(&instance);
}

Status check_name(const char *name) {
  uint64_t bytes = text_length(name);
  if (!bytes || is_text(name, ".") || is_text(name, ".."))
    return failure(EINVAL, "that is no name of an instance");
  if (bytes > kMaxInstanceName)
    return failure(ENAMETOOLONG,
                   limit_text<"an instance's name has at most ", kMaxInstanceName, " bytes">);
  for (const char *c = name; *c; c++)
    if (*c == '/' || (unsigned char)*c < ' ' || *c == 0x7f)
      return failure(EINVAL, "that is no name of an instance");
  return {};
}

Status begin(trace_array *instance, const char *name, void (*leaves)(uint32_t number)) {
  NOPHOOK_TRY(must_be_configured());
  if (!g_buffer.header)
    choose_trace_clock();
  NOPHOOK_TRY(adopt_modules());
  find_cpu_numbers();
  tell_thread_ends();
  instance->name = {};
  instance->name.add(name);
  NOPHOOK_TRY(buffer_open_instance(instance->own_buffer, instance->number, instance->name.c_str()));
  instance->listed = found_modules();
  instance->tracer = nullptr;
  instance->leaves = leaves;
  instance->leaver = 0;
  instance->rules.belong_to_instance(instance->number, instance->name.c_str());
  instance->state = trace_array::kThere;
  __atomic_fetch_or(&g_there, 1u << instance->number, __ATOMIC_RELEASE);
  g_pid = own_pid();
  return {};
}

} // namespace

void trace_array::renew_beyond_plain() {
  const bool has_other_clock = buffer().clock.kind != NOPHOOK_CLOCK_TSC;
  rules.set_beyond_plain(options | (counted ? kHasCounters : 0) |
                         (has_other_clock ? kHasOtherClock : 0));
}

Status make_instance(const char *name, void (*leaves)(uint32_t number)) {
  NOPHOOK_TRY(check_name(name));
  forget_parents();
  RuntimeLock lock;
  if (find(name, text_length(name)))
    return failure(EEXIST, "there is an instance of this name");
  for (uint32_t number = 1; number < kTraceArrays; number++)
    if (trace_array &instance = g_arrays[number]; instance.state == trace_array::kFree) {
      instance.number = number;
      return begin(&instance, name, leaves);
    }
  return failure(ENOSPC,
                 limit_text<"there are ", kMaxInstances, " instances, and no room for more">);
}

Status remove_instance(const char *name) {
  forget_parents();
  trace_array *instance;
  {
    RuntimeLock lock;
    instance = find(name, text_length(name));
    if (!instance)
      return failure(ENOENT, "there is no such instance");
    if (instance->users)
      return failure(EBUSY, "a file of the instance is open");
    NOPHOOK_TRY(can_synchronize_callbacks());
    NOPHOOK_TRY(stop_tracer(*instance));
    buffer_stop(instance->own_buffer);
    leave(instance);
  }
  // If the wait is impossible, the instance does not exist any more, but its place is lost.
  NOPHOOK_TRY(wait_for_callbacks());
  RuntimeLock lock;
  finish_removal_of(instance);
  return {};
}

trace_array *hold_instance(const char *name, uint64_t bytes, uint64_t *generation) {
  forget_parents();
  RuntimeLock lock;
  trace_array *instance = find(name, bytes);
  if (instance) {
    instance->users++;
    *generation = instance->own_buffer.generation;
  }
  return instance;
}

bool instance_is_gone(const trace_array *instance, uint64_t generation) {
  return instance->state == trace_array::kFree || instance->own_buffer.generation != generation ||
         !buffer_is_own(instance->own_buffer);
}

void release_instance(trace_array *instance, uint64_t generation) {
  RuntimeLock lock;
  if (!instance_is_gone(instance, generation))
    instance->users--;
}

uint32_t arrays_there() {
  return __atomic_load_n(&g_there, __ATOMIC_ACQUIRE);
}

trace_array &array_numbered(uint32_t number) {
  return g_arrays[number];
}

void visit_instances(void (*visit)(const char *name, void *context), void *context) {
  forget_parents();
  Text<kMaxInstanceName + 1> names[kMaxInstances];
  uint32_t count = 0;
  {
    RuntimeLock lock;
    for (trace_array &instance : instances())
      if (instance.state == trace_array::kThere)
        names[count++] = instance.name;
  }
  auto is_before = [](const char *a, const char *b) {
    while (*a && *a == *b)
      a++, b++;
    return (unsigned char)*a < (unsigned char)*b;
  };
  const char *last = "";
  for (uint32_t round = 0; round < count; round++) {
    const char *lowest = nullptr;
    for (uint32_t i = 0; i < count; i++)
      if (is_before(last, names[i].c_str()) && (!lowest || is_before(names[i].c_str(), lowest)))
        lowest = names[i].c_str();
    visit(last = lowest, context);
  }
}

Status instances_follow_modules() {
  for (trace_array &instance : instances()) {
    if (instance.state != trace_array::kThere || !buffer_is_own(instance.own_buffer))
      continue;
    NOPHOOK_TRY(buffer_list_modules(instance.own_buffer, found_modules() - instance.listed));
    instance.listed = found_modules();
  }
  return {};
}

bool has_instances() {
  for (const trace_array &instance : instances())
    if (instance.state == trace_array::kThere)
      return true;
  return false;
}

} // namespace nophook
