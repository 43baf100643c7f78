// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A client that writes to a control file is in no callback, so no grace period waits for it. So its
// triggers are read, and carried out, under the lock. The exception is a snapshot, which takes
// long.

#include "events/mark_event.h"

#include "base/lock.h"
#include "base/own_identity.h"
#include "base/syscall.h"
#include "buffer/snapshot.h"
#include "tracers/trigger_action.h"

namespace nophook {

static TextEvent g_event;

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
    record.head.common = {event->id, 0, 0, own_thread_id()};
    bytes -= bytes && text[bytes - 1] == '\n';
    bytes = bytes < kMaxMarkText ? bytes : kMaxMarkText;
    copy_bytes(record.text, text, bytes);
    record.word = (uint32_t)(bytes + 1) << 16 | offsetof(MarkRecord, text);
    auto *bytes_of = reinterpret_cast<const uint8_t *>(&record);
    for (EventTrigger &trigger : event->triggers) {
      if (!trigger.what || trigger.instance != instance ||
          !event_passes(trigger.filter, bytes_of, sizeof record))
        continue;
      if (trigger.what == EventTrigger::kSnapshot)
        wants_snapshot = take_one(&trigger.count) || wants_snapshot;
      else
        fire_event_trigger(&trigger, 0, nullptr);
    }
  }
  if (wants_snapshot)
    renew_snapshot(buffer_of(instance)); // the log reports a failure
}

} // namespace nophook
