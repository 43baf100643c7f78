// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events that are made by text while the program runs: dynamic_events, kprobe_events.
//
// A line is a probe of a function; probes of one name are one event, which is switched on and off,
// has a filter and triggers. A probe is armed, its function calls us, while its event is on or has
// a trigger; else nothing of the program is changed.
//
// All is under the runtime's lock, and callbacks read it: what they may be reading is freed after a
// grace period, for which free_removed_events() waits without the lock.

#pragma once

#include "base/status.h"
#include "events/event_filter.h"
#include "events/probe_text.h"
#include "ops/fprobe.h"
#include "tracers/trace_array.h"

#define NOPHOOK_NO_SHORT_NAMES
#include <ftrace.h>

namespace nophook {

constexpr uint32_t kMaxEventTriggers = 32; // of an event, for all buffers together
constexpr uint32_t kMaxPrefixBytes = 256;  // of an event: what it is called, and its arguments
constexpr uint32_t kMaxRecordBytes = 400;  // without texts
constexpr uint32_t kMaxRoomBytes = 512;    // with them

struct TextEvent;

struct EventTrigger {
  enum What : uint8_t { kNone, kTraceOn, kTraceOff, kStackTrace, kSnapshot, kEnable, kDisable };
  What what;
  uint8_t instance; // whose it is; 0: the main buffer's
  int64_t count;    // how often it may still act; below 0: always
  TextEvent *other; // kEnable, kDisable
  Text<200> text;   // as it is listed, without the count
  Text<kMaxFilterText> condition;
  EventFilter *filter; // or null
};

struct TextProbe {
  fprobe probe; // first: callbacks get it
  TextProbe *next;
  TextEvent *event;
  ProbeText text;
  uint64_t ip; // of the function's site
  uint64_t hits;
  Array<uint8_t> prefix; // what each of its events begins with (nophook/buffer.h)
  bool is_armed;
  uint64_t freer; // free_removed_events(): the ticket of the call that frees it
};

struct TextEvent {
  TextEvent *next;
  EventName group, name;
  uint16_t id; // nophook/kernel_events.h
  TextProbe *probes;
  uint32_t enabled_in; // bit 0: the main buffer; bit N: that of instance N. Callbacks of triggers
                       // change them, too
  uint32_t soft_uses;  // triggers of other events that may enable it
  struct {
    Text<kMaxFilterText> text;
    EventFilter *filter;        // or null: all
  } filters[1 + kMaxInstances]; // by instance
  EventTrigger triggers[kMaxEventTriggers];
};

TextEvent *first_event();            // in order of their making; follow `next`
TextEvent *event_of_id(uint64_t id); // mark_event(), too

// A line. Errors: EINVAL, EEXIST, EADDRNOTAVAIL, ENOENT, EBUSY, ENOMEM, ENOSPC; `*at` is where in
// it.
Status change_events(const char *line, uint64_t bytes, uint64_t *at);
// All of a kind: with `is_fprobe` null all. Errors: EBUSY, one is on or has a trigger.
Status remove_all_events(const bool *is_fprobe);

// On or off for the main buffer (0) or an instance, those that match: globs, `group` or `name`
// null: any. Errors: EINVAL, none does.
Status enable_events(uint32_t instance, const char *group, const char *name, bool on);
// The same without the lock; settles, and waits for a thread that is switching one of them off.
Status switch_events(uint32_t instance, const char *group, const char *name, bool on);
bool switch_event(TextEvent *event, uint32_t instance, bool on); // false: it was so
inline bool event_is_on(const TextEvent *event, uint32_t instance) {
  return __atomic_load_n(&event->enabled_in, __ATOMIC_ACQUIRE) >> instance & 1;
}
// `0` and an empty text take the filter away. Errors: EINVAL; `error` says where.
Status set_event_filter(TextEvent *event, uint32_t instance, const char *text, uint64_t bytes,
                        ParseError *error);
// `COMMAND[:COUNT] [if FILTER]`, and with `!` in front away again. Errors: EINVAL, EEXIST, ENOENT,
// ENOSPC.
Status change_event_trigger(TextEvent *event, uint32_t instance, const char *text, uint64_t bytes,
                            ParseError *error);
// What an instance has of all events is gone with it. Under the lock, before a grace period.
void events_leave_instance(uint32_t instance);

// Without the lock, behind any of these: what nobody can be using any more is freed.
void free_removed_events();

// For events.
void arm_event(TextEvent *event, Status *status);
void discard_filter(EventFilter *filter);
void remove_event_triggers(TextEvent *event, uint32_t instance);
inline bool event_has_triggers(const TextEvent *event, uint32_t instance) {
  bool any = false;
  for (const EventTrigger &trigger : event->triggers)
    any = any || (trigger.what && trigger.instance == instance);
  return any;
}
inline bool event_has_triggers(const TextEvent *event) {
  bool any = event->soft_uses;
  for (const EventTrigger &trigger : event->triggers)
    any = any || trigger.what;
  return any;
}
const EventField *event_field(void *event, const char *name, uint64_t bytes);

// event_run.cpp. What a trigger does when its event has come, in a callback, or under the lock
// (then without registers, which only a stack trace needs); whether a record passes a filter, or
// there is none.
void fire_event_trigger(EventTrigger *trigger, uint64_t ip, const ftrace_regs *regs);
bool event_passes(const EventFilter *filter, const uint8_t *record, uint32_t bytes);
// In callbacks.
int text_probe_entry(fprobe *probe, unsigned long ip, unsigned long parent_ip, ftrace_regs *regs,
                     void *data);
void text_probe_exit(fprobe *probe, unsigned long ip, unsigned long parent_ip, ftrace_regs *regs,
                     void *data);

} // namespace nophook
