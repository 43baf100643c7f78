// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes and removes events that are made by text.

#include "events/text_events.h"

#include "base/leb.h"
#include "events/event_pids.h"
#include "events/mark_event.h"
#include "events/probe_site.h"
#include "events/scanner.h"
#include "ops/glob.h"
#include "tracers/trace_array.h"

#include <nophook/buffer.h>
#include <nophook/kernel_events.h>

#include <errno.h>

namespace nophook {
namespace {

TextEvent *g_first = nullptr;
uint32_t g_next_id = kKernelDynamic;

bool same(const EventName &one, const EventName &other) {
  return one.size() == other.size() && equal_bytes(one.c_str(), other.c_str(), one.size());
}

TextEvent *find_event(const EventName &group, const EventName &name) {
  for (TextEvent *event = g_first; event; event = event->next)
    if (same(event->group, group) && same(event->name, name))
      return event;
  return nullptr;
}

// Whether both have the same format: names, types and sizes.
bool same_fields(const ProbeText &one, const ProbeText &other) {
  bool good = one.arguments.size() == other.arguments.size();
  for (uint64_t i = 0; good && i < one.arguments.size(); i++) {
    const FetchArgument &a = one.arguments[i], &b = other.arguments[i];
    good = a.type == b.type && a.count == b.count &&
           text_length(a.name.c_str()) == text_length(b.name.c_str()) &&
           equal_bytes(a.name.c_str(), b.name.c_str(), a.name.size());
  }
  return good;
}

bool same_probe(const ProbeText &one, const ProbeText &other) {
  bool good = one.function.size() == other.function.size() &&
              equal_bytes(one.function.c_str(), other.function.c_str(), one.function.size());
  for (uint64_t i = 0; good && i < one.arguments.size(); i++)
    good = one.arguments[i].text.size() == other.arguments[i].text.size() &&
           equal_bytes(one.arguments[i].text.c_str(), other.arguments[i].text.c_str(),
                       one.arguments[i].text.size());
  return good;
}

// The description that each event has for readers: `GROUP/EVENT NAME:TYPE NAME:TYPE[COUNT]`.
bool describe(TextProbe *probe) {
  Text<2048> text;
  text.add(probe->text.group.c_str()).add("/").add(probe->text.event.c_str());
  for (const FetchArgument &argument : probe->text.arguments) {
    text.add(" ").add(argument.name.c_str()).add(":").add(argument.type->name);
    if (argument.count)
      text.add("[").number(argument.count).add("]");
  }
  uint8_t head[16] = {NOPHOOK_VALUES_PROBE, (uint8_t)(probe->text.is_return ? 'r' : 'p')};
  uint8_t *end = put_uleb(head + 2, text.size());
  if (!probe->prefix.reserve((uint64_t)(end - head) + text.size()))
    return false;
  for (const uint8_t *byte = head; byte != end; byte++)
    probe->prefix.append(*byte);
  for (uint64_t i = 0; i < text.size(); i++)
    probe->prefix.append((uint8_t)text.c_str()[i]);
  return true;
}

// A new probe; memory of 0s is an empty one.
TextProbe *new_probe() {
  return static_cast<TextProbe *>(map_pages(sizeof(TextProbe)));
}

void free_probe(TextProbe *probe) {
  if (probe->probe.ops.state)
    forget_ops(&probe->probe.ops);
  probe->~TextProbe();
  unmap_pages(probe, sizeof(TextProbe));
}

void free_event(TextEvent *event) {
  for (const auto &its : event->filters)
    discard_filter(its.filter);
  event->~TextEvent();
  unmap_pages(event, sizeof(TextEvent));
}

Status prepare(TextProbe *probe) {
  fprobe &p = probe->probe;
  p.entry_handler = text_probe_entry;
  p.exit_handler = probe->text.is_return ? text_probe_exit : nullptr;
  p.entry_data_size = probe->text.entry_values * sizeof(uint64_t);
  p.ops.flags |=
      FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_SAVE_REGS;
  NOPHOOK_TRY(initialise_ops(&p.ops, Role::kCallback));
  const char *name = probe->text.function.c_str();
  NOPHOOK_TRY(
      p.ops.state->filter.change(name, text_length(name), true, "", Filter::Misses::kRefused));
  publish_filters(p.ops.state);
  return {};
}

// Puts the probe into its event, a new one if there is none.
Status adopt(TextProbe *probe) {
  TextEvent *event = find_event(probe->text.group, probe->text.event);
  if (event) {
    const ProbeText &other = event->probes->text;
    if (other.is_return != probe->text.is_return ||
        (other.kind == 'f') != (probe->text.kind == 'f'))
      return failure(EEXIST, "Probe type is different from existing probe");
    if (!same_fields(other, probe->text))
      return failure(EEXIST, "Argument type or name is different from existing probe");
    for (TextProbe *p = event->probes; p; p = p->next)
      if (same_probe(p->text, probe->text))
        return failure(EEXIST, "There is already the exact same probe event");
  } else {
    if (g_next_id > UINT16_MAX)
      return failure(ENOSPC, "no numbers are left for events");
    event = static_cast<TextEvent *>(map_pages(sizeof(TextEvent)));
    if (!event)
      return failure(ENOMEM, "no memory for an event");
    event->group = probe->text.group;
    event->name = probe->text.event;
    event->id = (uint16_t)g_next_id++;
    TextEvent **end = &g_first;
    while (*end)
      end = &(*end)->next;
    *end = event;
  }
  probe->event = event;
  TextProbe **end = &event->probes;
  while (*end)
    end = &(*end)->next;
  *end = probe;
  Status status;
  arm_event(event, &status);
  return status;
}

void remove_event(TextEvent *event) {
  TextEvent **place = &g_first;
  while (*place != event)
    place = &(*place)->next;
  *place = event->next;
  for (TextProbe *probe = event->probes, *next; probe; probe = next) {
    next = probe->next;
    free_probe(probe);
  }
  free_event(event);
}

bool is_busy(const TextEvent *event) {
  bool is_armed = event->enabled_in || event->triggers_in;
  for (const TextProbe *probe = event->probes; probe; probe = probe->next)
    is_armed = is_armed || probe->is_armed; // a callback may still be running
  return is_armed;
}

// Whether a removal means this probe: `in` is the text behind the event's name, `PLACE ARGUMENTS`.
// As in the kernel, some or all of that may be missing.
bool is_of_probe(const TextProbe &probe, Scanner in) {
  const char *word;
  uint64_t length;
  auto next_word = [&] {
    in.skip_blanks();
    word = in.here();
    length = in.length_of([](char c) { return !is_blank(c); });
    in.go_to(in.at() + length);
    return length != 0;
  };
  auto is = [&](const char *text) { return is_text(word, length, text); };
  const ProbeText &text = probe.text;
  Text<300> place;
  place.add(text.function.c_str()).add(text.is_return && text.kind != 'r' ? "%return" : "");
  if (next_word() && !is(place.c_str()) && !is(place.add("+0").c_str()))
    return false;
  for (const FetchArgument &argument : text.arguments) {
    Text<128> named;
    named.add(argument.name.c_str()).add("=").add(argument.text.c_str());
    if (!next_word() || is("$arg*"))
      return true;
    if (!is(named.c_str()) && !is(argument.text.c_str()))
      return false;
  }
  return !next_word();
}

// Removes the probes of an event that are meant, and with the last one the event.
void remove_probes(TextEvent *event, const Scanner &behind_name) {
  TextProbe **place = &event->probes;
  while (TextProbe *probe = *place) {
    if (!is_of_probe(*probe, behind_name)) {
      place = &probe->next;
      continue;
    }
    *place = probe->next;
    free_probe(probe);
  }
  if (!event->probes)
    remove_event(event);
}

Status remove_named(const ProbeText &text, const char *line, uint64_t bytes) {
  Scanner behind_name(line, bytes);
  behind_name.skip_blanks();
  behind_name.go_to(behind_name.at() + behind_name.length_of([](char c) { return !is_blank(c); }));
  bool any = false;
  auto is_meant = [&](const TextEvent *event) {
    bool has_probe = false;
    for (const TextProbe *probe = event->probes; probe; probe = probe->next)
      has_probe = has_probe || is_of_probe(*probe, behind_name);
    return (!text.group.size() || same(event->group, text.group)) &&
           (!text.event.size() || same(event->name, text.event)) && has_probe;
  };
  for (TextEvent *event = g_first; event; event = event->next) {
    any = any || is_meant(event);
    if (is_meant(event) && is_busy(event))
      return failure(EBUSY, "the event is enabled, or has a trigger");
  }
  if (!any)
    return failure(ENOENT, "there is no such event");
  for (TextEvent *event = g_first, *next; event; event = next) {
    next = event->next;
    if (is_meant(event))
      remove_probes(event, behind_name);
  }
  return {};
}

Status of_parse(const ParseError &error, uint64_t *at) {
  *at = error.at;
  return failure(EINVAL, error.reason);
}

Status add_probe(const char *line, uint64_t bytes, TextProbe *probe, uint64_t *at) {
  ProbeSite site;
  Status found = find_probe_site(probe->text.function.c_str(), &site);
  if (!found.ok()) {
    *at = probe->text.function_at;
    return found;
  }
  probe->ip = site.ip;
  FetchScope scope = {probe->text.is_return, &site.table, site.prototype, find_data_symbol};
  if (ParseError error = parse_arguments(line, bytes, scope, &probe->text))
    return of_parse(error, at);
  if (probe->text.record_bytes > kMaxRecordBytes)
    return failure(E2BIG, "Argument expression is too long");
  if (!describe(probe))
    return failure(ENOMEM, "no memory for an event");
  if (probe->prefix.size() > kMaxPrefixBytes)
    return failure(E2BIG, "Argument expression is too long");
  NOPHOOK_TRY(prepare(probe));
  return adopt(probe);
}

} // namespace

TextEvent *first_event() {
  return g_first;
}

TextEvent *event_of_id(uint64_t id) {
  if (id == kKernelPrint)
    return mark_event();
  TextEvent *event = g_first;
  while (event && event->id != id)
    event = event->next;
  return event;
}

Status change_events(const char *line, uint64_t bytes, uint64_t *at) {
  *at = 0;
  bool is_removal = bytes && *line == '!'; // a removal of the defined probe
  TextProbe *probe = new_probe();
  if (!probe)
    return failure(ENOMEM, "no memory for an event");
  Status status;
  if (ParseError error = parse_probe(line + is_removal, bytes - is_removal, &probe->text))
    status = of_parse(error, at);
  else if (is_removal || probe->text.kind == '-')
    status = remove_named(probe->text, line + is_removal, bytes - is_removal);
  else
    status = add_probe(line, bytes, probe, at);
  if (!probe->event)
    free_probe(probe);
  return status;
}

Status remove_all_events(const bool *is_fprobe) {
  auto is_meant = [&](const TextEvent *event) {
    return !is_fprobe || (event->probes->text.kind == 'f') == *is_fprobe;
  };
  for (TextEvent *event = g_first; event; event = event->next)
    if (is_meant(event) && is_busy(event))
      return failure(EBUSY, "an event is enabled, or has a trigger");
  for (TextEvent *event = g_first, *next; event; event = next) {
    next = event->next;
    if (is_meant(event))
      remove_event(event);
  }
  return {};
}

void events_leave_instance(uint32_t instance) {
  clear_event_pids(instance, PidFilter::kPid);
  clear_event_pids(instance, PidFilter::kNotrace);
  for (TextEvent *event = g_first; event; event = event->next) {
    ParseError none;
    Status status = set_event_filter(event, instance, nullptr, 0, &none);
    switch_event(event, instance, false);
    arm_event(event, &status); // which disarms
  }
}

bool switch_event(TextEvent *event, uint32_t instance, bool on) {
  const uint32_t bit = 1u << instance;
  uint32_t had = on ? __atomic_fetch_or(&event->enabled_in, bit, __ATOMIC_ACQ_REL)
                    : __atomic_fetch_and(&event->enabled_in, ~bit, __ATOMIC_ACQ_REL);
  return (bool)(had & bit) != on;
}

Status enable_events(uint32_t instance, const char *group, const char *name, bool on) {
  bool any = false;
  for (TextEvent *event = g_first; event; event = event->next) {
    if ((group && !glob_match(group, event->group.c_str())) ||
        (name && !glob_match(name, event->name.c_str())))
      continue;
    any = true;
    switch_event(event, instance, on);
    Status status;
    arm_event(event, &status);
    if (!status.ok()) {
      switch_event(event, instance, false);
      return status;
    }
  }
  return any ? Status{} : failure(EINVAL, "there is no such event");
}

const EventField *event_field(void *context, const char *name, uint64_t bytes) {
  static EventField field; // under the lock; the caller copies it
  auto *event = static_cast<TextEvent *>(context);
  const TextProbe *probe = event->probes; // null: mark_event()
  auto is = [&](const char *other) { return is_text(name, bytes, other); };
  field = {};
  field.name.add(name, bytes);
  field.bytes = 8;
  if (is("comm") || is("COMM")) {
    field.is_comm = true;
    return &field;
  }
  if (is("common_pid")) {
    field.offset = offsetof(KernelCommon, pid);
    field.bytes = 4;
    field.is_signed = true;
    return &field;
  }
  if (!probe) {
    field.offset = offsetof(MarkRecord, word);
    field.is_text = true;
    return is("buf") ? &field : nullptr;
  }
  if (is(probe->text.is_return ? "__probe_func" : "__probe_ip")) {
    field.offset = offsetof(KernelProbe, ip);
    return &field;
  }
  if (probe->text.is_return && is("__probe_ret_ip")) {
    field.offset = offsetof(KernelReturnProbe, ret_ip);
    return &field;
  }
  for (const FetchArgument &argument : event->probes->text.arguments) {
    if (!is(argument.name.c_str()) || argument.count)
      continue;
    field.offset = argument.offset;
    field.bytes = argument.type->bytes;
    field.is_signed = argument.type->is_signed;
    field.is_text = argument.type->is_text;
    return &field;
  }
  return nullptr;
}

} // namespace nophook
