// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts that an event's filter and trigger files accept.

#include "base/limit_text.h"
#include "events/text_events.h"

#include "events/mark_event.h"
#include "events/scanner.h"

#include <errno.h>

namespace nophook {
namespace {

constexpr struct {
  const char *name;
  EventTrigger::What what;
} kTriggers[] = {
    {"traceon", EventTrigger::kTraceOn},       {"traceoff", EventTrigger::kTraceOff},
    {"stacktrace", EventTrigger::kStackTrace}, {"snapshot", EventTrigger::kSnapshot},
    {"enable_event", EventTrigger::kEnable},   {"disable_event", EventTrigger::kDisable},
};

Status make_filter(TextEvent *event, const char *text, uint64_t bytes, EventFilter **made,
                   ParseError *error) {
  *made = static_cast<EventFilter *>(map_pages(sizeof(EventFilter))); // 0s: an empty one
  if (!*made)
    return failure(ENOMEM, "no memory for a filter");
  *error = (*made)->parse(text, bytes, event_field, event);
  if (!*error)
    return {};
  (*made)->~EventFilter();
  unmap_pages(*made, sizeof(EventFilter));
  return failure(EINVAL, error->reason);
}

// N, and as the file lists it: `count=N` or `unlimited`. So each line of the file may be written to
// it again, and behind "!", which is how trace-cmd reset and the kernel's own tests remove
// triggers.
bool read_count(Scanner *in, int64_t *count) {
  uint64_t number;
  *count = -1;
  if (in->skip("unlimited"))
    return true;
  in->skip("count=");
  if (!in->number(&number) || number > INT64_MAX)
    return false;
  *count = (int64_t)number;
  return true;
}

// COMMAND[:GROUP:EVENT][:COUNT]
Status read_trigger(Scanner *in, bool is_mark, EventTrigger *trigger) {
  uint64_t begin = in->at(), length = in->length_of(is_name_part);
  for (const auto &known : kTriggers)
    if (is_text(in->here(), length, known.name))
      trigger->what = known.what;
  if (!trigger->what)
    return failure(EINVAL, "there is no such trigger (traceon, traceoff, stacktrace, snapshot, "
                           "enable_event, disable_event)");
  if (is_mark && trigger->what == EventTrigger::kStackTrace)
    return failure(EINVAL, "a mark has no function's stack");
  trigger->text.add(in->here(), length);
  in->go_to(begin + length);
  if (trigger->what == EventTrigger::kEnable || trigger->what == EventTrigger::kDisable) {
    EventName names[2];
    for (EventName &name : names) {
      if (!in->skip(':') || !(length = in->length_of(is_name_part)))
        return failure(EINVAL, "the trigger needs :GROUP:EVENT");
      name.add(in->here(), length);
      trigger->text.add(":").add(name.c_str());
      in->go_to(in->at() + length);
    }
    for (TextEvent *event = first_event(); event; event = event->next)
      if (text_length(event->group.c_str()) == names[0].size() &&
          equal_bytes(event->group.c_str(), names[0].c_str(), names[0].size()) &&
          event->name.size() == names[1].size() &&
          equal_bytes(event->name.c_str(), names[1].c_str(), names[1].size()))
        trigger->other = event;
    if (!trigger->other)
      return failure(EINVAL, "there is no such event");
  }
  trigger->count = -1;
  if (in->skip(':') && !read_count(in, &trigger->count))
    return failure(EINVAL, "a trigger's count is a number or `unlimited`");
  return {};
}

bool same(const EventTrigger &one, const EventTrigger &other) {
  return one.what == other.what && one.other == other.other && one.instance == other.instance;
}

// The other event is armed for as long as it may be enabled at any moment.
Status use_other(EventTrigger *trigger, int change) {
  Status status;
  if (TextEvent *other = trigger->other) {
    other->soft_uses += (uint32_t)change;
    arm_event(other, &status);
  }
  return status;
}

Status take_away(EventTrigger *trigger) {
  __atomic_store_n(&trigger->what, EventTrigger::kNone, __ATOMIC_RELEASE);
  discard_filter(trigger->filter);
  __atomic_store_n(&trigger->filter, (EventFilter *)nullptr, __ATOMIC_RELEASE);
  return use_other(trigger, -1);
}

Status remove_trigger(TextEvent *event, const EventTrigger &wanted) {
  for (EventTrigger &trigger : event->triggers) {
    if (!trigger.what || !same(trigger, wanted))
      continue;
    Status status = take_away(&trigger);
    if (status.ok())
      arm_event(event, &status);
    return status;
  }
  return failure(ENOENT, "there is no such trigger");
}

Status add_trigger(TextEvent *event, EventTrigger *made, Scanner *in, ParseError *error) {
  EventTrigger *place = nullptr;
  for (EventTrigger &trigger : event->triggers) {
    if (trigger.what && same(trigger, *made))
      return failure(EEXIST, "there is such a trigger already");
    if (!trigger.what && !place)
      place = &trigger;
  }
  if (!place)
    return failure(ENOSPC, limit_text<"an event has ", kMaxEventTriggers, " triggers at most">);
  in->skip_blanks();
  if (in->skip("if") && is_blank(in->peek())) {
    in->skip_blanks();
    if (in->left() >= kMaxFilterText)
      return failure(EINVAL, "the filter is too long");
    made->condition.add(in->here(), in->left());
    Status status = make_filter(event, in->here(), in->left(), &made->filter, error);
    error->at += (uint32_t)in->at();
    NOPHOOK_TRY(status);
  } else if (!in->is_end()) {
    *error = {"a trigger is followed by `if` and a filter", (uint32_t)in->at()};
    return failure(EINVAL, error->reason);
  }
  EventTrigger::What what = made->what;
  made->what = EventTrigger::kNone;
  *place = *made;
  __atomic_store_n(&place->what, what, __ATOMIC_RELEASE);
  Status status = use_other(place, 1);
  if (status.ok())
    arm_event(event, &status);
  if (!status.ok()) {
    Status ignored = remove_trigger(event, *place);
    (void)ignored; // the first error is the answer; what it switches stays as it is
  }
  return status;
}

} // namespace

Status set_event_filter(TextEvent *event, uint32_t instance, const char *text, uint64_t bytes,
                        ParseError *error) {
  auto &its = event->filters[instance];
  EventFilter *made = nullptr, *old = its.filter;
  bool is_none = !bytes || (bytes == 1 && *text == '0');
  if (bytes >= kMaxFilterText)
    return failure(EINVAL, "the filter is too long");
  if (!is_none)
    NOPHOOK_TRY(make_filter(event, text, bytes, &made, error));
  its.text = {};
  its.text.add(text, is_none ? 0 : bytes);
  __atomic_store_n(&its.filter, made, __ATOMIC_RELEASE);
  discard_filter(old);
  return {};
}

void remove_event_triggers(TextEvent *event, uint32_t instance) {
  for (EventTrigger &trigger : event->triggers)
    if (trigger.what && trigger.instance == instance) {
      Status status = take_away(&trigger);
      (void)status; // what it was to switch stays armed, for nobody
    }
}

Status change_event_trigger(TextEvent *event, uint32_t instance, const char *text, uint64_t bytes,
                            ParseError *error) {
  Scanner in(text, bytes);
  bool removes = in.skip('!');
  EventTrigger made = {};
  made.instance = (uint8_t)instance;
  Status status = read_trigger(&in, event == mark_event(), &made);
  if (!status.ok()) {
    *error = {status.reason, (uint32_t)in.at()};
    return status;
  }
  return removes ? remove_trigger(event, made) : add_trigger(event, &made, &in, error);
}

} // namespace nophook
