// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// available_events, set_event, and the files of the threads in which events count.

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

Status read_available(FileTarget, ControlText &text) {
  RuntimeLock lock;
  for (const TextEvent *event = first_event(); event; event = event->next)
    add_event(text, *event);
  return {};
}

Status read_set(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  for (const TextEvent *event = first_event(); event; event = event->next)
    if (event_is_on(event, at.array.number))
      add_event(text, *event);
  return {};
}

// Sets [!]GROUP:EVENT, GROUP:, or a name that may be either's.
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

Status write_set(FileTarget at, const char *text, uint64_t bytes) {
  for (uint64_t begin = 0, end; begin < bytes; begin = end + 1) {
    for (end = begin; end < bytes && !is_blank(text[end]);)
      end++;
    if (end > begin)
      NOPHOOK_TRY(set_one(at.array.number, text + begin, end - begin));
  }
  return {};
}

Status truncate_set(FileTarget at) {
  Status none = switch_events(at.array.number, nullptr, nullptr, false);
  (void)none; // a set without events is no error
  return {};
}

template <PidFilter Which> Status read_pids(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  const PidList &list = event_pids(at.array.number, Which);
  list.show(text, "");
  text.add(list.is_empty() ? "" : "\n");
  return {};
}

template <PidFilter Which> Status write_pids(FileTarget at, const char *text, uint64_t bytes) {
  RuntimeLock lock;
  return add_event_pids(at.array.number, Which, text, bytes);
}

template <PidFilter Which> Status truncate_pids(FileTarget at) {
  RuntimeLock lock;
  clear_event_pids(at.array.number, Which);
  return {};
}

constexpr ControlFile kFiles[] = {
    {.path = "available_events", .scope = SettingScope::kTop, .read = read_available},
    {.path = "set_event", .read = read_set, .write = write_set, .truncate = truncate_set},
    {.path = "set_event_notrace_pid",
     .read = read_pids<PidFilter::kNotrace>,
     .write = write_pids<PidFilter::kNotrace>,
     .truncate = truncate_pids<PidFilter::kNotrace>},
    {.path = "set_event_pid",
     .read = read_pids<PidFilter::kPid>,
     .write = write_pids<PidFilter::kPid>,
     .truncate = truncate_pids<PidFilter::kPid>},
};

} // namespace

ControlFiles set_event_files() {
  return {kFiles, kFiles + sizeof kFiles / sizeof *kFiles};
}

} // namespace nophook
