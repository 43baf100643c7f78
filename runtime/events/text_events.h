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

constexpr uint32_t kMaxEventTriggers = 32; // per event, for all arrays together
constexpr uint32_t kMaxPrefixBytes = 256;  // per event: its name and its arguments
constexpr uint32_t kMaxRecordBytes = 400;  // without texts
constexpr uint32_t kMaxRoomBytes = 512;    // including texts

struct TextEvent;

struct Trigger; // triggers/trigger.h

// The moment at which triggers run: a call, an event or a mark.
struct TriggerHit {
  uint64_t ip;             // in the function itself; 0: a mark
  const ftrace_regs *regs; // all registers of an entry or a return; null: a mark
  const uint8_t *record;   // the event's; null: it has left the stack, or a function has none
  uint32_t bytes;          // bytes of the record
};

struct TextProbe {
  fprobe probe; // first: callbacks get it
  TextProbe *next;
  TextEvent *event;
  ProbeText text;
  uint64_t ip; // address of the function's site
  uint64_t hits;
  Array<uint8_t> prefix; // the beginning of each of its events (nophook/buffer.h)
  bool is_armed;
  uint64_t freer; // ticket of the call of free_removed_events() that frees it
};

struct TextEvent {
  TextEvent *next;
  EventName group, name;
  uint16_t id; // nophook/kernel_events.h
  TextProbe *probes;
  uint32_t enabled_in;  // bit 0: the main buffer; bit N: instance N's buffer. Callbacks of triggers
                        // change them, too
  uint32_t triggers_in; // arrays with triggers that it fires, or that switch it; a bit each
  struct {
    Text<kMaxFilterText> text;
    EventFilter *filter;                // null: no filter
  } filters[1 + kMaxInstances];         // by instance
  Trigger *triggers[kMaxEventTriggers]; // fired triggers; null: a free slot. Release and acquire
};

TextEvent *first_event();            // in order of creation; follow `next`
TextEvent *event_of_id(uint64_t id); // mark_event(), too

// Changes the events by a line. Errors: EINVAL, EEXIST, EADDRNOTAVAIL, ENOENT, EBUSY, ENOMEM,
// ENOSPC; `*at` is the error's place in the line.
Status change_events(const char *line, uint64_t bytes, uint64_t *at);
// Removes all events of a kind; all kinds if `is_fprobe` is null. Errors: EBUSY, an event is on or
// has a trigger.
Status remove_all_events(const bool *is_fprobe);

// Switches the events that match on or off, for the main buffer (0) or an instance. `group` and
// `name` are globs; null: any. Errors: EINVAL, no event matches.
Status enable_events(uint32_t instance, const char *group, const char *name, bool on);
// The same without the lock; settles, and waits for a thread that is switching one of them off.
Status switch_events(uint32_t instance, const char *group, const char *name, bool on);
bool switch_event(TextEvent *event, uint32_t instance, bool on); // false: no change
inline bool event_is_on(const TextEvent *event, uint32_t instance) {
  return __atomic_load_n(&event->enabled_in, __ATOMIC_ACQUIRE) >> instance & 1;
}
// Sets a filter; `0` and an empty text remove it. Errors: EINVAL; `error` has the place.
Status set_event_filter(TextEvent *event, uint32_t instance, const char *text, uint64_t bytes,
                        ParseError *error);
// Removes all settings of an instance. Called under the lock, before a grace period.
void events_leave_instance(uint32_t instance);

// Frees memory that no callback can use any more. Called without the lock, after any of these
// functions.
void free_removed_events();

// Functions for other files of events.
void arm_event(TextEvent *event, Status *status);
void discard_filter(EventFilter *filter);
inline bool event_has_triggers(const TextEvent *event, uint32_t instance) {
  return event->triggers_in >> instance & 1;
}
const EventField *event_field(void *event, const char *name, uint64_t bytes);

// Whether a record passes a filter, or there is none.
bool event_passes(const EventFilter *filter, const uint8_t *record, uint32_t bytes);

// Functions for callbacks. The layer of triggers is above this one and defines the first two
// (triggers/event_triggers.cpp). All triggers of the arrays `allowed` judge a record, and those
// that need it run. The returned triggers, a bit each, run when the record has left the stack.
uint32_t judge_triggers(TextEvent *event, uint32_t allowed, const TriggerHit &hit);
void run_triggers(TextEvent *event, uint32_t fired, const TriggerHit &hit);
int text_probe_entry(fprobe *probe, unsigned long ip, unsigned long parent_ip, ftrace_regs *regs,
                     void *data);
void text_probe_exit(fprobe *probe, unsigned long ip, unsigned long parent_ip, ftrace_regs *regs,
                     void *data);

} // namespace nophook
