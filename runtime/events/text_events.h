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

constexpr uint32_t kMaxEventTriggers = 32; // of an event, for all arrays together
constexpr uint32_t kMaxPrefixBytes = 256;  // of an event: what it is called, and its arguments
constexpr uint32_t kMaxRecordBytes = 400;  // without texts
constexpr uint32_t kMaxRoomBytes = 512;    // with them

struct TextEvent;

struct Trigger; // triggers/trigger.h

// The moment at which triggers run: a call, an event or a mark.
struct TriggerHit {
  uint64_t ip;             // in the function itself; 0: a mark
  const ftrace_regs *regs; // all of an entry or a return; null: a mark
  const uint8_t *record;   // the event's; null: it has left the stack, or a function has none
  uint32_t bytes;          // of the record
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
  uint32_t enabled_in;  // bit 0: the main buffer; bit N: that of instance N. Callbacks of triggers
                        // change them, too
  uint32_t triggers_in; // arrays with triggers that it fires, or that switch it; a bit each
  struct {
    Text<kMaxFilterText> text;
    EventFilter *filter;                // or null: all
  } filters[1 + kMaxInstances];         // by instance
  Trigger *triggers[kMaxEventTriggers]; // that it fires; null: a free slot. Release and acquire
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
// What an instance has of all events is gone with it. Under the lock, before a grace period.
void events_leave_instance(uint32_t instance);

// Without the lock, behind any of these: what nobody can be using any more is freed.
void free_removed_events();

// For events.
void arm_event(TextEvent *event, Status *status);
void discard_filter(EventFilter *filter);
inline bool event_has_triggers(const TextEvent *event, uint32_t instance) {
  return event->triggers_in >> instance & 1;
}
const EventField *event_field(void *event, const char *name, uint64_t bytes);

// Whether a record passes a filter, or there is none.
bool event_passes(const EventFilter *filter, const uint8_t *record, uint32_t bytes);

// In callbacks. The layer of triggers is above this one and defines the first two
// (triggers/event_triggers.cpp). All triggers of the arrays `allowed` judge a record, and those
// that need it run. The others, a bit each, run when it has left the stack.
uint32_t judge_triggers(TextEvent *event, uint32_t allowed, const TriggerHit &hit);
void run_triggers(TextEvent *event, uint32_t fired, const TriggerHit &hit);
int text_probe_entry(fprobe *probe, unsigned long ip, unsigned long parent_ip, ftrace_regs *regs,
                     void *data);
void text_probe_exit(fprobe *probe, unsigned long ip, unsigned long parent_ip, ftrace_regs *regs,
                     void *data);

} // namespace nophook
