// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whoever writes to a file of ours is in no callback, so no grace period waits for him: triggers
// are read, and carried out, under the lock. But for a snapshot, which takes its time.

#include "events/mark_event.h"

#include "base/lock.h"
#include "base/syscall.h"
#include "buffer/snapshot.h"
#include "tracers/trigger_action.h"

namespace nophook {
namespace {

TextEvent g_event;

bool passes(const EventTrigger &trigger, const MarkRecord &record) {
  char comm[17] = {};
  if (!trigger.filter)
    return true;
  if (trigger.filter->wants_comm())
    sys(SYS_prctl, 16 /* PR_GET_NAME */, comm);
  return trigger.filter->matches(reinterpret_cast<const uint8_t *>(&record), sizeof record, comm);
}

// Whether a snapshot is to be taken.
bool fire(EventTrigger *trigger) {
  Buffer &buffer = buffer_of(trigger->instance);
  bool on = trigger->what == EventTrigger::kEnable;
  switch (trigger->what) {
  case EventTrigger::kTraceOn:
    run_trigger_action(TriggerAction::kTraceOn, buffer, &trigger->count, 0, nullptr);
    return false;
  case EventTrigger::kTraceOff:
    run_trigger_action(TriggerAction::kTraceOff, buffer, &trigger->count, 0, nullptr);
    return false;
  case EventTrigger::kSnapshot:
    return take_one(&trigger->count);
  case EventTrigger::kEnable:
  case EventTrigger::kDisable:
    if (__atomic_load_n(&trigger->count, __ATOMIC_RELAXED) &&
        switch_event(trigger->other, trigger->instance, on))
      take_one(&trigger->count);
    return false;
  case EventTrigger::kStackTrace: // is refused
  case EventTrigger::kNone:
    return false;
  }
  return false;
}

} // namespace

TextEvent *mark_event() {
  g_event.id = kKernelPrint;
  return &g_event;
}

void run_mark_triggers(uint32_t instance, const char *text, uint64_t bytes) {
  bool wants_snapshot = false;
  {
    RuntimeLock lock;
    TextEvent *event = mark_event();
    if (!event_has_triggers(event, instance))
      return;
    MarkRecord record = {};
    record.head.common = {event->id, 0, 0, (int32_t)sys(SYS_gettid)};
    bytes -= bytes && text[bytes - 1] == '\n';
    bytes = bytes < kMaxMarkText ? bytes : kMaxMarkText;
    copy_bytes(record.text, text, bytes);
    record.word = (uint32_t)(bytes + 1) << 16 | offsetof(MarkRecord, text);
    for (EventTrigger &trigger : event->triggers)
      if (trigger.what && trigger.instance == instance && passes(trigger, record))
        wants_snapshot = fire(&trigger) || wants_snapshot;
  }
  if (wants_snapshot)
    renew_snapshot(buffer_of(instance)); // the log tells if it cannot
}

} // namespace nophook
