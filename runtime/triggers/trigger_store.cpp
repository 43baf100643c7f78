// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The triggers of each array: a list in order of addition. Callbacks do not walk it.

#include "base/limit_text.h"
#include "base/lock.h"
#include "ops/ops.h"
#include "triggers/trigger.h"

#include <errno.h>

namespace nophook {
namespace {

Trigger *g_first[kTraceArrays];
Trigger *g_removed = nullptr; // not freed yet, linked by `next`
uint64_t g_removals = 0;      // number of removals so far

// Arms or disarms an event. It is armed as long as it may be fired, or enabled, at any moment.
Status arm(TextEvent *event) {
  Status status;
  if (!event)
    return status;
  uint32_t arrays = 0;
  for (const Trigger *first : g_first)
    for (const Trigger *trigger = first; trigger; trigger = trigger->next)
      if (trigger->event == event || trigger->other == event)
        arrays |= 1u << trigger->array;
  __atomic_store_n(&event->triggers_in, arrays, __ATOMIC_RELEASE);
  arm_event(event, &status);
  return status;
}

} // namespace

Trigger *first_trigger(uint32_t array) {
  return g_first[array];
}

// A Trigger of 0s is an empty one.
Trigger *new_trigger() {
  return static_cast<Trigger *>(map_pages(sizeof(Trigger)));
}

void free_trigger(Trigger *trigger) {
  if (removal_of(&trigger->ops))
    finish_removal(&trigger->ops);
  if (trigger->ops.state)
    forget_ops(&trigger->ops);
  trigger->~Trigger();
  unmap_pages(trigger, sizeof(Trigger));
}

Status add_trigger(Trigger *trigger) {
  if (TextEvent *event = trigger->event) {
    Trigger **slot = event->triggers, **end = slot + kMaxEventTriggers;
    while (slot != end && *slot)
      slot++;
    if (slot == end)
      return failure(ENOSPC, limit_text<"an event has ", kMaxEventTriggers, " triggers at most">);
    __atomic_store_n(slot, trigger, __ATOMIC_RELEASE);
  }
  Trigger **place = &g_first[trigger->array];
  while (*place)
    place = &(*place)->next;
  *place = trigger;
  trigger->is_known = true;
  Status status = arm(trigger->other);
  if (status.ok())
    status = arm(trigger->event);
  if (!status.ok()) {
    Status ignored = remove_trigger(trigger);
    (void)ignored; // the first error is returned; the switched event stays as it is
  }
  return status;
}

Status remove_trigger(Trigger *trigger) {
  Trigger **place = &g_first[trigger->array];
  while (*place != trigger)
    place = &(*place)->next;
  *place = trigger->next;
  __atomic_store_n(&trigger->count, (int64_t)0, __ATOMIC_RELAXED);
  if (TextEvent *event = trigger->event)
    for (Trigger *&slot : event->triggers)
      if (slot == trigger)
        __atomic_store_n(&slot, (Trigger *)nullptr, __ATOMIC_RELEASE);
  if (trigger->ops.flags & FTRACE_OPS_FL_ENABLED)
    cut_off_ops(&trigger->ops);
  trigger->removal = ++g_removals;
  trigger->next = g_removed;
  g_removed = trigger;
  Status status = arm(trigger->other), its_own = arm(trigger->event);
  return status.ok() ? its_own : status;
}

// Several threads may do this at once, and more removals may come while no thread holds the lock:
// each thread frees the removals that it has waited for.
void free_removed_triggers() {
  free_removed_events();
  uint64_t last;
  {
    RuntimeLock lock;
    if (!g_removed)
      return;
    last = g_removals;
  }
  if (!wait_for_callbacks().ok())
    return;
  RuntimeLock lock;
  for (Trigger **place = &g_removed; *place;) {
    Trigger *trigger = *place;
    if (trigger->removal > last) {
      place = &trigger->next;
      continue;
    }
    *place = trigger->next;
    free_trigger(trigger);
  }
}

void triggers_leave_array(uint32_t array) {
  while (Trigger *trigger = first_trigger(array)) {
    Status status = remove_trigger(trigger);
    (void)status; // the switched event stays armed, without a trigger
  }
  events_leave_instance(array);
}

} // namespace nophook
