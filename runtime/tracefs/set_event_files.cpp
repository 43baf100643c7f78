// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// available_events, set_event, and the threads that events count in.

#include "base/lock.h"
#include "events/event_pids.h"
#include "events/scanner.h"
#include "events/text_events.h"
#include "tracefs/control_file.h"

#include <errno.h>

namespace nophook {
namespace {

void add_event(ControlText &text, const TextEvent &event) {
  text.add(event.group.c_str()).add(":").add(event.name.c_str()).add("\n");
}

Status read_available(ControlText &text) {
  RuntimeLock lock;
  for (const TextEvent *event = first_event(); event; event = event->next)
    add_event(text, *event);
  return {};
}

Status read_set(uint64_t instance, ControlText &text) {
  RuntimeLock lock;
  for (const TextEvent *event = first_event(); event; event = event->next)
    if (event_is_on(event, (uint32_t)instance))
      add_event(text, *event);
  return {};
}

// [!]GROUP:EVENT, GROUP:, or a name that is either's.
Status set_one(uint32_t instance, const char *token, uint64_t bytes) {
  bool on = *token != '!';
  token += !on;
  bytes -= !on;
  uint64_t colon = 0;
  while (colon < bytes && token[colon] != ':')
    colon++;
  EventName group, name;
  group.add(token, colon);
  if (colon < bytes)
    name.add(token + colon + 1, bytes - colon - 1);
  if (colon < bytes)
    return switch_events(instance, colon ? group.c_str() : nullptr,
                         name.size() ? name.c_str() : nullptr, on);
  Status of_group = switch_events(instance, group.c_str(), nullptr, on);
  Status of_name = switch_events(instance, nullptr, group.c_str(), on);
  return of_group.ok() ? of_group : of_name;
}

Status write_set(uint64_t instance, const char *text, uint64_t bytes) {
  for (uint64_t at = 0, end; at < bytes; at = end + 1) {
    for (end = at; end < bytes && !is_blank(text[end]);)
      end++;
    if (end > at)
      NOPHOOK_TRY(set_one((uint32_t)instance, text + at, end - at));
  }
  return {};
}

Status truncate_set(uint64_t instance) {
  Status none = switch_events((uint32_t)instance, nullptr, nullptr, false);
  (void)none; // there may be no events
  return {};
}

// A file's `which`: the list, and whose it is.
constexpr uint64_t pids_of(uint32_t instance, PidFilter which) {
  return (uint64_t)instance << 1 | (uint64_t)which;
}
uint32_t instance_of(uint64_t which) {
  return (uint32_t)(which >> 1);
}
PidFilter list_of(uint64_t which) {
  return (PidFilter)(which & 1);
}

Status read_pids(uint64_t which, ControlText &text) {
  RuntimeLock lock;
  const PidList &list = event_pids(instance_of(which), list_of(which));
  list.show(text, "");
  text.add(list.is_empty() ? "" : "\n");
  return {};
}

Status write_pids(uint64_t which, const char *text, uint64_t bytes) {
  RuntimeLock lock;
  return add_event_pids(instance_of(which), list_of(which), text, bytes);
}

Status truncate_pids(uint64_t which) {
  RuntimeLock lock;
  clear_event_pids(instance_of(which), list_of(which));
  return {};
}

constexpr ControlFile pid_file(const char *path, uint32_t instance, PidFilter which) {
  return {.path = path,
          .which = pids_of(instance, which),
          .read_of = read_pids,
          .write_of = write_pids,
          .truncate = truncate_pids};
}

} // namespace

void visit_set_event_files(uint32_t instance, VisitFile visit, void *context) {
  visit(context, {.path = "set_event",
                  .which = instance,
                  .read_of = read_set,
                  .write_of = write_set,
                  .truncate = truncate_set});
  visit(context, pid_file("set_event_pid", instance, PidFilter::kPid));
  visit(context, pid_file("set_event_notrace_pid", instance, PidFilter::kNotrace));
  if (!instance)
    visit(context, {.path = "available_events", .read = read_available});
}

} // namespace nophook
