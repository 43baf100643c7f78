// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tracers/instance.h"

#include "base/lock.h"
#include "base/own_identity.h"
#include "base/syscall.h"
#include "buffer/clock.h"
#include "buffer/snapshot.h"
#include "ops/kept_calls.h"
#include "ops/thread.h"
#include "tracers/callbacks.h"
#include "tracers/thread_end.h"
#include "tracers/triggers.h"

#include <errno.h>

namespace nophook {

void find_cpu_numbers();

namespace {

Instance g_instances[kMaxInstances];
int32_t g_pid = 0;    // whose they are
uint32_t g_there = 1; // instances_there()

int32_t own_pid() {
  return process_id();
}

bool has_name(const Instance &instance, const char *name, uint64_t bytes) {
  return instance.state == Instance::kThere && instance.name.size() == bytes &&
         equal_bytes(instance.name.c_str(), name, bytes);
}

Instance *find(const char *name, uint64_t bytes) {
  for (Instance &instance : g_instances)
    if (has_name(instance, name, bytes))
      return &instance;
  return nullptr;
}

uint32_t number_of(const Instance *instance) {
  return (uint32_t)(instance - g_instances) + 1;
}

// Nobody can be in it any more. A trigger that was running has perhaps switched an event on there.
void finish_removal_of(Instance *instance) {
  ftrace_ops *ops = &instance->probe.ops;
  instance->leaves(number_of(instance));
  finish_instance_tracer(instance);
  if (ops->state)
    forget_ops(ops);
  ops->flags = 0;
  free_snapshots(instance->buffer);
  buffer_close_instance(instance->buffer);
  instance->name = {};
  instance->changed_options = instance->recorded = 0;
  instance->users = 0;
  instance->state = Instance::kFree;
}

void leave(Instance *instance) {
  __atomic_fetch_and(&g_there, ~(1u << number_of(instance)), __ATOMIC_SEQ_CST);
  triggers_leave_instance(number_of(instance));
  instance->leaves(number_of(instance));
  instance->state = Instance::kLeaving;
  instance->leaver = own_pid();
}

// An instance of the parent's, or one that the parent was removing.
bool is_left_over(const Instance &instance) {
  return instance.state != Instance::kFree && !buffer_is_own(instance.buffer) &&
         instance.leaver != own_pid();
}

// In a fork child, once: the parent's instances are none here.
void forget_parents() {
  bool any = false;
  {
    RuntimeLock lock;
    if (g_pid == 0 || g_pid == own_pid())
      return;
    for (Instance &instance : g_instances)
      if (is_left_over(instance)) {
        any = true;
        if (!stop_instance_tracer(&instance).ok())
          cut_off_ops(&instance.probe.ops);
        leave(&instance);
      }
    g_pid = own_pid();
  }
  if (!any)
    return;
  bool is_waited = !nophook_calls || synchronize_callbacks().ok();
  RuntimeLock lock;
  for (Instance &instance : g_instances)
    if (instance.state == Instance::kLeaving && !buffer_is_own(instance.buffer) && is_waited)
      finish_removal_of(&instance);
}

Status check_name(const char *name) {
  uint64_t bytes = text_length(name);
  if (!bytes || equal_bytes(name, ".", 2) || (bytes == 2 && equal_bytes(name, "..", 2)))
    return failure(EINVAL, "that is no name of an instance");
  if (bytes > kMaxInstanceName)
    return failure(ENAMETOOLONG, "an instance's name has at most 63 bytes");
  for (const char *c = name; *c; c++)
    if (*c == '/' || (unsigned char)*c < ' ' || *c == 0x7f)
      return failure(EINVAL, "that is no name of an instance");
  return {};
}

Status begin(Instance *instance, const char *name, void (*leaves)(uint32_t number)) {
  if (!buffer_configured())
    return failure(ENODEV, "no buffer_dir is set: start the program with `nophook record`");
  if (!g_buffer.header)
    choose_trace_clock();
  NOPHOOK_TRY(adopt_modules());
  find_cpu_numbers();
  tell_thread_ends();
  instance->name = {};
  instance->name.add(name);
  NOPHOOK_TRY(buffer_open_instance(instance->buffer, number_of(instance), instance->name.c_str()));
  instance->listed = found_modules();
  instance->tracer = instance_tracer_name(0);
  instance->leaves = leaves;
  instance->leaver = 0;
  instance->threads = {};
  instance->cpus = {};
  instance->probe.ops.private_data = instance;
  instance->probe.ops.flags = FTRACE_OPS_FL_TRACE_ARRAY | FTRACE_OPS_FL_RECURSION_SAFE |
                              FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_SAVE_REGS;
  instance->state = Instance::kThere;
  __atomic_fetch_or(&g_there, 1u << number_of(instance), __ATOMIC_RELEASE);
  g_pid = own_pid();
  return {};
}

} // namespace

Status make_instance(const char *name, void (*leaves)(uint32_t number)) {
  NOPHOOK_TRY(check_name(name));
  forget_parents();
  RuntimeLock lock;
  if (find(name, text_length(name)))
    return failure(EEXIST, "there is an instance of this name");
  for (Instance &instance : g_instances)
    if (instance.state == Instance::kFree)
      return begin(&instance, name, leaves);
  return failure(ENOSPC, "there are 15 instances, and no room for more");
}

Status remove_instance(const char *name) {
  forget_parents();
  Instance *instance;
  {
    RuntimeLock lock;
    instance = find(name, text_length(name));
    if (!instance)
      return failure(ENOENT, "there is no such instance");
    if (instance->users)
      return failure(EBUSY, "a file of the instance is open");
    NOPHOOK_TRY(can_synchronize_callbacks());
    NOPHOOK_TRY(stop_instance_tracer(instance));
    buffer_stop(instance->buffer);
    leave(instance);
  }
  // If it cannot be waited the instance is none any more, but its place is lost.
  if (nophook_calls)
    NOPHOOK_TRY(synchronize_callbacks());
  RuntimeLock lock;
  finish_removal_of(instance);
  return {};
}

Instance *hold_instance(const char *name, uint64_t bytes, uint64_t *generation) {
  forget_parents();
  RuntimeLock lock;
  Instance *instance = find(name, bytes);
  if (instance) {
    instance->users++;
    *generation = instance->buffer.generation;
  }
  return instance;
}

bool instance_is_gone(const Instance *instance, uint64_t generation) {
  return instance->state == Instance::kFree || instance->buffer.generation != generation ||
         !buffer_is_own(instance->buffer);
}

void release_instance(Instance *instance, uint64_t generation) {
  RuntimeLock lock;
  if (!instance_is_gone(instance, generation))
    instance->users--;
}

uint32_t instances_there() {
  return __atomic_load_n(&g_there, __ATOMIC_ACQUIRE);
}

Instance *instance_numbered(uint32_t number) {
  return &g_instances[number - 1];
}

void visit_instances(void (*visit)(const char *name, void *context), void *context) {
  forget_parents();
  Text<kMaxInstanceName + 1> names[kMaxInstances];
  uint32_t count = 0;
  {
    RuntimeLock lock;
    for (Instance &instance : g_instances)
      if (instance.state == Instance::kThere)
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
  for (Instance &instance : g_instances) {
    if (instance.state != Instance::kThere || !buffer_is_own(instance.buffer))
      continue;
    NOPHOOK_TRY(buffer_list_modules(instance.buffer, found_modules() - instance.listed));
    instance.listed = found_modules();
  }
  return {};
}

bool instances_keep_values() {
  uint32_t options = 0;
  for (const Instance &instance : g_instances)
    options |= instance.recorded;
  return options & kValueOptions;
}

bool has_instances() {
  for (const Instance &instance : g_instances)
    if (instance.state == Instance::kThere)
      return true;
  return false;
}

} // namespace nophook
