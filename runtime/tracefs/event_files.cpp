// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// events/ and set_event. The tracers' own events, in events/ftrace, cannot be switched on one by
// one: the tracer does that. Each event that was made by text has a folder.

#include "base/lock.h"
#include "events/event_format.h"
#include "events/mark_event.h"
#include "events/scanner.h"
#include "tracefs/control_file.h"
#include "tracefs/error_log.h"
#include "tracefs/reader_settings.h"
#include "tracers/named_settings.h"
#include "tracers/trace_array.h"
#include "triggers/trigger.h"

#include <errno.h>

namespace nophook {
namespace {

auto adder(ControlText &text) {
  struct Adder {
    ControlText *text;
    void operator()(const char *part) const { text->add(part); }
    void operator()(uint64_t number) const { text->number(number); }
  };
  return Adder{&text};
}

// The event of a file, whose number is the file's `which`.
TextEvent *event_of(FileTarget at) {
  return event_of_id(at.which);
}

Status read_header_page(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  kernel_page_text(uint64_t{reader_settings(at.array.number).page_kib} << 10, adder(text));
  return {};
}

Status read_header_event(FileTarget, ControlText &text) {
  text.add(kKernelEntryText);
  return {};
}

Status read_tracer_format(FileTarget at, ControlText &text) {
  kernel_format_text(kKernelEvents[at.which], adder(text));
  return {};
}

Status read_tracer_id(FileTarget at, ControlText &text) {
  text.number(kKernelEvents[at.which].id).add("\n");
  return {};
}

// The event may be removed between the opening of a file and its use.
constexpr Status kGone = {ENODEV, "the event is gone"};

Status read_id(FileTarget at, ControlText &text) {
  text.number(at.which).add("\n");
  return {};
}

Status read_format(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  const TextEvent *event = event_of(at);
  if (!event)
    return kGone;
  kernel_format_head(event->name.c_str(), at.which, adder(text));
  text_event_fields(*event, adder(text));
  text_event_print(*event, adder(text));
  return {};
}

// `*`: the event is armed for a trigger.
Status read_enable(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  const TextEvent *event = event_of(at);
  if (!event)
    return kGone;
  uint32_t instance = at.array.number;
  text.add(event_is_on(event, instance) ? "1" : "0");
  text.add(event_has_triggers(event, instance) ? "*\n" : "\n");
  return {};
}

Status read_switch(const char *value, uint64_t bytes, bool *on) {
  uint64_t number;
  NOPHOOK_TRY(read_decimal(value, bytes, &number));
  *on = number;
  return number < 2 ? Status{} : failure(EINVAL, "an event is switched by 0 and 1");
}

Status enable(FileTarget at, const char *group, const char *name, bool on) {
  return switch_events(at.array.number, group, name, on);
}

Status write_enable(FileTarget at, const char *value, uint64_t bytes) {
  bool on;
  NOPHOOK_TRY(read_switch(value, bytes, &on));
  EventName group, name;
  {
    RuntimeLock lock;
    const TextEvent *event = event_of(at);
    if (!event)
      return kGone;
    group = event->group;
    name = event->name;
  }
  return enable(at, group.c_str(), name.c_str(), on);
}

// Adds the state of several events: 0: all are off, 1: all are on, X: some are on.
void add_all(ControlText &text, FileTarget at, const char *group) {
  uint32_t on = 0, off = 0;
  for (const TextEvent *event = first_event(); event; event = event->next)
    if (!group || (event->group.size() == text_length(group) &&
                   equal_bytes(event->group.c_str(), group, event->group.size())))
      (event_is_on(event, at.array.number) ? on : off)++;
  text.add(on && off ? "X\n" : on ? "1\n" : "0\n");
}

Status read_all(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  add_all(text, at, nullptr);
  return {};
}

Status write_all(FileTarget at, const char *value, uint64_t bytes) {
  bool on;
  NOPHOOK_TRY(read_switch(value, bytes, &on));
  Status status = enable(at, nullptr, nullptr, on);
  return status.error == EINVAL ? Status{} : status; // a group without events is no error
}

// Shows a group's state. A group is named by its first event.
Status read_group(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  const TextEvent *event = event_of(at);
  if (!event)
    return kGone;
  add_all(text, at, event->group.c_str());
  return {};
}

Status write_group(FileTarget at, const char *value, uint64_t bytes) {
  bool on;
  NOPHOOK_TRY(read_switch(value, bytes, &on));
  EventName group;
  {
    RuntimeLock lock;
    const TextEvent *event = event_of(at);
    if (!event)
      return kGone;
    group = event->group;
  }
  return enable(at, group.c_str(), nullptr, on);
}

Status read_event_filter(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  const TextEvent *event = event_of(at);
  if (!event)
    return kGone;
  const auto &filter = event->filters[at.array.number];
  text.add(filter.text.size() ? filter.text.c_str() : "none").add("\n");
  return {};
}

using Change = Status (*)(TextEvent *event, uint32_t instance, const char *text, uint64_t bytes,
                          ParseError *error);
Status change(Change how, FileTarget at, const char *value, uint64_t bytes, const char *who) {
  while (bytes && is_blank(*value))
    value++, bytes--;
  while (bytes && is_blank(value[bytes - 1]))
    bytes--;
  free_removed_triggers();
  ParseError error;
  Status status;
  {
    RuntimeLock lock;
    TextEvent *event = event_of(at);
    status = event ? how(event, at.array.number, value, bytes, &error) : kGone;
  }
  free_removed_triggers();
  if (!status.ok())
    keep_error(status, value, bytes, error.at, who, at.array.number);
  return status;
}

Status write_event_filter(FileTarget at, const char *value, uint64_t bytes) {
  return change(set_event_filter, at, value, bytes, "event filter parse error");
}

Status read_group_filter(FileTarget, ControlText &text) {
  text.add("### global filter ###\n"
           "# Use this to set filters for multiple events.\n"
           "# Only events with the given fields will be affected.\n");
  return {};
}

// Sets the filter of all events of the group that have these fields. If none has them, the error is
// that of the last event.
Status write_group_filter(FileTarget at, const char *value, uint64_t bytes) {
  Change how = [](TextEvent *one, uint32_t instance, const char *text, uint64_t length,
                  ParseError *error) {
    Status status;
    bool any = false;
    const EventName group = one->group;
    for (TextEvent *event = first_event(); event; event = event->next) {
      if (!equal_bytes(event->group.c_str(), group.c_str(), group.size() + 1))
        continue;
      ParseError wrong;
      Status result = set_event_filter(event, instance, text, length, &wrong);
      any = any || result.ok();
      if (!result.ok())
        status = result, *error = wrong;
    }
    return any ? Status{} : status;
  };
  return change(how, at, value, bytes, "event filter parse error");
}

Status read_trigger(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  const TextEvent *event = event_of(at);
  if (!event)
    return kGone;
  const uint64_t before = text.size();
  for (const Trigger *trigger = first_trigger(at.array.number); trigger; trigger = trigger->next)
    if (trigger->event == event)
      list_trigger(*trigger, text);
  if (text.size() != before)
    return {};
  text.add("# Available triggers:\n#");
  for (const TriggerKind &kind : trigger_kinds())
    if (kind.ways & way_of(event))
      text.add(" ").add(kind.name);
  text.add("\n");
  return {};
}

Status write_trigger(FileTarget at, const char *value, uint64_t bytes) {
  return change(change_event_trigger, at, value, bytes, "event trigger");
}

constexpr ControlFile kFiles[] = {
    {.path = "events/enable", .read = read_all, .write = write_all},
    {.path = "events/header_event", .read = read_header_event},
    {.path = "events/header_page", .read = read_header_page},
};

struct EntryOfEvent {
  const char *name;
  ControlFile::Kind kind; // kMessage: the file keeps its own errors, with their places
  Status (*read)(FileTarget at, ControlText &text);
  Status (*write)(FileTarget at, const char *value, uint64_t bytes);
};
constexpr EntryOfEvent kEntries[] = {
    {"enable", ControlFile::Kind::kValue, read_enable, write_enable},
    {"filter", ControlFile::Kind::kMessage, read_event_filter, write_event_filter},
    {"format", ControlFile::Kind::kValue, read_format, nullptr},
    {"id", ControlFile::Kind::kValue, read_id, nullptr},
    {"trigger", ControlFile::Kind::kMessage, read_trigger, write_trigger},
};

void visit_event(const TextEvent &event, VisitFile visit, void *context) {
  const uint64_t which = event.id;
  Text<200> folder, enable, filter;
  folder.add("events/").add(event.group.c_str()).add("/");
  enable.add(folder.c_str()).add("enable");
  filter.add(folder.c_str()).add("filter");
  visit(context,
        {.path = enable.c_str(), .which = which, .read = read_group, .write = write_group});
  visit(context, {.path = filter.c_str(),
                  .which = which,
                  .kind = ControlFile::Kind::kMessage,
                  .read = read_group_filter,
                  .write = write_group_filter});
  folder.add(event.name.c_str()).add("/");
  for (const EntryOfEvent &entry : kEntries) {
    Text<216> path;
    path.add(folder.c_str()).add(entry.name);
    visit(context, {.path = path.c_str(),
                    .which = which,
                    .kind = entry.kind,
                    .read = entry.read,
                    .write = entry.write});
  }
}

} // namespace

void visit_event_files(VisitFile visit, void *context) {
  uint64_t which = 0;
  for (const ControlFile &file : kFiles)
    visit(context, file);
  for (const KernelEvent &event : kKernelEvents) {
    Text<96> format, id;
    format.add("events/ftrace/").add(event.name).add("/format");
    id.add("events/ftrace/").add(event.name).add("/id");
    visit(context, {.path = format.c_str(), .which = which, .read = read_tracer_format});
    visit(context, {.path = id.c_str(), .which = which, .read = read_tracer_id});
    which++;
  }
  visit(context, {.path = "events/ftrace/print/trigger",
                  .which = kKernelPrint,
                  .kind = ControlFile::Kind::kMessage,
                  .read = read_trigger,
                  .write = write_trigger});
  RuntimeLock lock;
  for (const TextEvent *event = first_event(); event; event = event->next)
    visit_event(*event, visit, context);
}

} // namespace nophook
