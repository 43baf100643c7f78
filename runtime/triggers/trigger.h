// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triggers: commands that a call of a function, an event or a mark carries out, whether it is
// traced or not.
//
//      set_ftrace_filter               GLOB:NAME[:COUNT]         !GLOB:NAME removes it
//      events/GROUP/EVENT/trigger      NAME[:COUNT] [if FILTER]  !NAME removes it
//      events/ftrace/print/trigger     the same, for marks
//
// The kernel has a table of commands for functions and another one for events, and the two have
// grown apart: a count that one accepts is wrong for the other. Here a command is one row of
// trigger_table.cpp, with a mask of the ways that lead to it. All triggers of an array are in one
// list, are listed in one form, and have one grammar of counts.
//
// An event's triggers judge its record while it is on the program's stack, where it takes 0.9 KiB.
// Most rows need no record, so they run when the record has left the stack. A row that needs the
// record runs before that: it takes little stack, or one of its own (ops/own_stack.h).
//
// Lists change under the runtime's lock. Callbacks find a trigger by its ops or by its event's
// slot. It is freed by free_removed_triggers(), after a grace period.

#pragma once

#include "events/scanner.h"
#include "events/text_events.h"

namespace nophook {

struct Trigger;

enum TriggerWay : uint8_t { kByFunction = 1, kByEvent = 2, kByMark = 4 };

struct TriggerKind {
  const char *name;
  uint8_t ways;              // bits of TriggerWay
  bool needs_record = false; // the event's record, TriggerHit::record
  // Reads the parameters behind the name, and adds them to made->text. Null: there are none.
  Status (*parse)(Scanner *in, Trigger *made) = nullptr;
  // Called in callbacks, by several threads; for a mark, by a client's thread, under the runtime's
  // lock.
  void (*run)(Trigger &trigger, const TriggerHit &hit);
  // Called for a mark instead, without the lock: it may take long. Null: a mark calls run(), too.
  void (*run_unlocked)(Buffer &buffer) = nullptr;
};

struct Trigger {
  ftrace_ops ops;                 // first: callbacks get it; only for a function's trigger
  Trigger *next;                  // next one of the same array, in order of addition
  const TriggerKind *kind;        // its row
  TextEvent *event;               // the event that fires it; null: a function
  TextEvent *other;               // the event that it switches, or null
  uint8_t array;                  // the number of the array that it acts on
  bool is_known;                  // callbacks know it: it has been added
  uint64_t removal;               // the number of its removal
  int64_t count;                  // number of times it may still act; below 0: no limit
  Text<200> text;                 // its name and parameters, as they are listed
  Text<256> glob;                 // the functions that fire it, as they were set
  Text<kMaxFilterText> condition; // behind `if`
  EventFilter filter;             // the same, parsed
};

struct TriggerKinds {
  const TriggerKind *first, *behind;
  const TriggerKind *begin() const { return first; }
  const TriggerKind *end() const { return behind; }
};
TriggerKinds trigger_kinds(); // in the order in which the kernel lists them
// Finds a kind. Null: none has this name and way.
const TriggerKind *find_trigger_kind(const char *name, uint64_t bytes, uint8_t way);

// Reads NAME[PARAMETERS][:COUNT] into a new Trigger. On EINVAL, `in` is at the error.
Status read_trigger(Scanner *in, uint8_t way, Trigger *made);
// The same without the count, which removing a trigger of functions ignores.
Status read_trigger_kind(Scanner *in, uint8_t way, Trigger *made);

// Whether a trigger may act once more, which counts as one time. Called in callbacks.
bool take_one(int64_t *count);
inline void run_trigger(Trigger &trigger, const TriggerHit &hit) {
  if (__atomic_load_n(&trigger.count, __ATOMIC_RELAXED))
    trigger.kind->run(trigger, hit);
}
inline bool trigger_passes(const Trigger &trigger, const TriggerHit &hit) {
  return event_passes(trigger.condition.size() ? &trigger.filter : nullptr, hit.record, hit.bytes);
}

// Adds a trigger's line in a listing: `NAME:unlimited if FILTER` or `NAME:count=N`.
template <class To> void list_trigger(const Trigger &trigger, To &text) {
  text.add(trigger.text.c_str());
  if (trigger.count < 0)
    text.add(":unlimited");
  else
    text.add(":count=").number((uint64_t)trigger.count);
  if (trigger.condition.size())
    text.add(" if ").add(trigger.condition.c_str());
  text.add("\n");
}

// All functions from here on need the runtime's lock, unless their comments say otherwise.
Trigger *first_trigger(uint32_t array); // follow `next`
Trigger *new_trigger();                 // an empty one; null: no memory
void free_trigger(Trigger *trigger);    // callbacks do not know it, or no longer
// Puts a trigger into its array's list and its event's slots, and arms the events. On an error the
// trigger is removed. Errors: ENOSPC, and the errors of arm_event().
Status add_trigger(Trigger *trigger);
Status remove_trigger(Trigger *trigger);
// Frees triggers that callbacks may have used, and events' memory, too. Called without the lock,
// after a removal.
void free_removed_triggers();
// Removes all triggers and events' settings of an array. Called before a grace period, and again
// after it.
void triggers_leave_array(uint32_t array);

// Whether `GLOB:NAME` is a word of set_ftrace_filter; the other functions are in
// tracers/function_commands.h.
bool is_function_command(const char *token, uint64_t bytes);

// Reads `NAME[:COUNT] [if FILTER]`, or `!NAME`, and makes the change. Errors: EINVAL, EEXIST,
// ENOENT, ENOSPC; `error` has the place.
Status change_event_trigger(TextEvent *event, uint32_t array, const char *text, uint64_t bytes,
                            ParseError *error);
inline TriggerWay way_of(const TextEvent *event) {
  return event->probes ? kByEvent : kByMark;
}

// Runs the triggers of a mark. Called without the lock, after the text has been written to the main
// buffer (0), or to an instance's.
void run_mark_triggers(uint32_t array, const char *text, uint64_t bytes);

} // namespace nophook
