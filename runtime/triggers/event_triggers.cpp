// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triggers that an event's record or a mark fires: the text of the file `trigger`, and running
// them. As in the kernel, all filters judge before the first trigger runs, and the event's own
// filter is not asked.

#include "base/lock.h"
#include "events/mark_event.h"
#include "triggers/trigger.h"

#include <errno.h>

namespace nophook {
namespace {

Trigger *find(const Trigger &wanted) {
  Trigger *trigger = first_trigger(wanted.array);
  while (trigger &&
         (trigger->event != wanted.event || !is_text(trigger->text.c_str(), wanted.text.c_str())))
    trigger = trigger->next;
  return trigger;
}

// Reads the condition `[if FILTER]`.
Status read_condition(Scanner *in, Trigger *made, ParseError *error) {
  in->skip_blanks();
  if (in->skip("if") && is_blank(in->peek())) {
    in->skip_blanks();
    if (in->left() >= kMaxFilterText)
      return failure(EINVAL, "the filter is too long");
    made->condition.add(in->here(), in->left());
    *error = made->filter.parse(in->here(), in->left(), event_field, made->event);
    error->at += (uint32_t)in->at();
    return *error ? failure(EINVAL, error->reason) : Status{};
  }
  if (in->is_end())
    return {};
  *error = {"a trigger is followed by `if` and a filter", (uint32_t)in->at()};
  return failure(EINVAL, error->reason);
}

Status change(Scanner *in, bool removes, Trigger *made, ParseError *error) {
  Status status = read_trigger(in, way_of(made->event), made);
  if (!status.ok()) {
    *error = {status.reason, (uint32_t)in->at()};
    return status;
  }
  Trigger *old = find(*made);
  if (removes)
    return old ? remove_trigger(old) : failure(ENOENT, "there is no such trigger");
  if (old)
    return failure(EEXIST, "there is such a trigger already");
  NOPHOOK_TRY(read_condition(in, made, error));
  return add_trigger(made);
}

} // namespace

Status change_event_trigger(TextEvent *event, uint32_t array, const char *text, uint64_t bytes,
                            ParseError *error) {
  Scanner in(text, bytes);
  bool removes = in.skip('!');
  Trigger *made = new_trigger();
  if (!made)
    return failure(ENOMEM, "no memory for a trigger");
  made->event = event;
  made->array = (uint8_t)array;
  Status status = change(&in, removes, made, error);
  if (!made->is_known)
    free_trigger(made);
  return status;
}

// Runs the triggers in `fired` whose rows need the record, or do not; returns the others.
static uint32_t run_some(TextEvent *event, uint32_t fired, bool with_record,
                         const TriggerHit &hit) {
  uint32_t others = 0;
  for (; fired; fired &= fired - 1) {
    const int bit = __builtin_ctz(fired);
    Trigger *trigger = __atomic_load_n(&event->triggers[bit], __ATOMIC_ACQUIRE);
    if (trigger && trigger->kind->needs_record == with_record)
      run_trigger(*trigger, hit);
    else
      others |= 1u << bit;
  }
  return others;
}

uint32_t judge_triggers(TextEvent *event, uint32_t allowed, const TriggerHit &hit) {
  uint32_t fired = 0;
  for (uint32_t i = 0; i < kMaxEventTriggers; i++) {
    const Trigger *trigger = __atomic_load_n(&event->triggers[i], __ATOMIC_ACQUIRE);
    if (trigger && allowed >> trigger->array & 1 && trigger_passes(*trigger, hit))
      fired |= 1u << i;
  }
  return run_some(event, fired, true, hit);
}

void run_triggers(TextEvent *event, uint32_t fired, const TriggerHit &hit) {
  run_some(event, fired, false, hit);
}

// A client that writes to a control file is in no callback, so no grace period waits for it. So a
// mark's triggers are read, and carried out, under the lock, except for those that take long.
void run_mark_triggers(uint32_t array, const char *text, uint64_t bytes) {
  uint32_t later = 0; // a bit for each row
  {
    RuntimeLock lock;
    TextEvent *event = mark_event();
    if (!event_has_triggers(event, array))
      return;
    const MarkRecord record = mark_record(text, bytes);
    const TriggerHit hit = {0, nullptr, reinterpret_cast<const uint8_t *>(&record), sizeof record};
    for (Trigger *trigger = first_trigger(array); trigger; trigger = trigger->next) {
      if (trigger->event != event || !trigger_passes(*trigger, hit))
        continue;
      if (!trigger->kind->run_unlocked)
        run_trigger(*trigger, hit);
      else if (take_one(&trigger->count))
        later |= 1u << (trigger->kind - trigger_kinds().first);
    }
  }
  for (const TriggerKind &kind : trigger_kinds())
    if (later >> (&kind - trigger_kinds().first) & 1)
      kind.run_unlocked(buffer_of(array));
}

} // namespace nophook
