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

template <class Take> Status each_word(const char *text, uint64_t bytes, Take take) {
  for (uint64_t at = 0, end; at < bytes; at = end + 1) {
    for (end = at; end < bytes && !is_blank(text[end]);)
      end++;
    if (end > at)
      NOPHOOK_TRY(take(text + at, end - at));
  }
  return {};
}

Status write_set(uint64_t instance, const char *text, uint64_t bytes) {
  return each_word(text, bytes, [&](const char *word, uint64_t length) {
    return set_one((uint32_t)instance, word, length);
  });
}

Status truncate_set(uint64_t instance) {
  Status none = switch_events((uint32_t)instance, nullptr, nullptr, false);
  (void)none; // there may be no events
  return {};
}

Status read_pids(uint64_t which, ControlText &text) {
  RuntimeLock lock;
  int32_t id;
  for (uint32_t i = 0; event_pid((EventPids)which, i, &id); i++)
    text.number((uint64_t)id).add("\n");
  return {};
}

Status write_pids(uint64_t which, const char *text, uint64_t bytes) {
  return each_word(text, bytes, [&](const char *word, uint64_t length) {
    Scanner in(word, length);
    uint64_t id;
    if (!in.number(&id) || !in.is_end() || !id || id > INT32_MAX)
      return failure(EINVAL, "numbers of threads or processes are expected");
    RuntimeLock lock;
    return add_event_pid((EventPids)which, (int32_t)id);
  });
}

Status truncate_pids(uint64_t which) {
  RuntimeLock lock;
  clear_event_pids((EventPids)which);
  return {};
}

constexpr ControlFile kFiles[] = {
    {.path = "available_events", .read = read_available},
    {.path = "set_event_notrace_pid",
     .which = (uint64_t)EventPids::kNotrace,
     .read_of = read_pids,
     .write_of = write_pids,
     .truncate = truncate_pids},
    {.path = "set_event_pid",
     .which = (uint64_t)EventPids::kPid,
     .read_of = read_pids,
     .write_of = write_pids,
     .truncate = truncate_pids},
};

} // namespace

// Threads are chosen for the main buffer alone.
void visit_set_event_files(uint32_t instance, VisitFile visit, void *context) {
  visit(context, {.path = "set_event",
                  .which = instance,
                  .read_of = read_set,
                  .write_of = write_set,
                  .truncate = truncate_set});
  for (const ControlFile &file : kFiles)
    if (!instance)
      visit(context, file);
}

} // namespace nophook
