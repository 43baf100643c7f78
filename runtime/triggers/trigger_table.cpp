// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of all triggers, and the text that names one: `NAME[PARAMETERS][:COUNT]`.

#include "buffer/snapshot.h"
#include "capture/stack_trace.h"
#include "ops/own_stack.h"
#include "triggers/trigger.h"

#include <errno.h>

namespace nophook {
namespace {

void trace_on(Trigger &trigger, const TriggerHit &) {
  if (buffer_switch_on(buffer_of(trigger.array)))
    take_one(&trigger.count);
}

void trace_off(Trigger &trigger, const TriggerHit &) {
  if (buffer_switch_off(buffer_of(trigger.array)))
    take_one(&trigger.count);
}

// Sets a snapshot aside. Paths and descriptors take 3 KiB of stack.
template <bool Tells> void snapshot(Trigger &trigger, const TriggerHit &) {
  if (take_one(&trigger.count))
    run_on_own_stack([&] { take_snapshot(buffer_of(trigger.array), Tells); });
}

void stack_trace(Trigger &trigger, const TriggerHit &hit) {
  if (take_one(&trigger.count))
    write_stack_trace(buffer_of(trigger.array), hit.ip, hit.regs);
}

template <bool On> void switch_other(Trigger &trigger, const TriggerHit &) {
  if (switch_event(trigger.other, trigger.array, On))
    take_one(&trigger.count);
}

// Reads the parameters :GROUP:EVENT.
Status read_other(Scanner *in, Trigger *made) {
  EventName names[2];
  for (EventName &name : names) {
    uint64_t length = 0;
    if (!in->skip(':') || !(length = in->length_of(is_name_part)))
      return failure(EINVAL, "the trigger needs :GROUP:EVENT");
    name.add(in->here(), length);
    made->text.add(":").add(name.c_str());
    in->go_to(in->at() + length);
  }
  for (TextEvent *event = first_event(); event; event = event->next)
    if (is_text(event->group.c_str(), names[0].c_str()) &&
        is_text(event->name.c_str(), names[1].c_str()))
      made->other = event;
  return made->other ? Status{} : failure(EINVAL, "there is no such event");
}

constexpr uint8_t kAny = kByFunction | kByEvent | kByMark;

constexpr TriggerKind kKinds[] = {
    {.name = "traceon", .ways = kAny, .run = trace_on},
    {.name = "traceoff", .ways = kAny, .run = trace_off},
    {.name = "snapshot",
     .ways = kAny,
     .run = snapshot<false>,
     .run_unlocked = [](Buffer &buffer) { renew_snapshot(buffer); }}, // the log reports a failure
    {.name = "stacktrace", .ways = kByFunction | kByEvent, .run = stack_trace}, // a mark has none
    {.name = "enable_event", .ways = kAny, .parse = read_other, .run = switch_other<true>},
    {.name = "disable_event", .ways = kAny, .parse = read_other, .run = switch_other<false>},
    {.name = "dump", .ways = kByFunction, .run = snapshot<true>},
};

constexpr bool functions_have_no_record() {
  for (const TriggerKind &kind : kKinds)
    if (kind.needs_record && kind.ways & kByFunction)
      return false;
  return true;
}
static_assert(functions_have_no_record());

// Reads a count: N, or in the form of a listing `count=N` or `unlimited`. So each line of a file
// may be written to it again, and behind "!", which is how trace-cmd reset and the kernel's own
// tests remove triggers.
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

} // namespace

TriggerKinds trigger_kinds() {
  return {kKinds, kKinds + sizeof kKinds / sizeof *kKinds};
}

const TriggerKind *find_trigger_kind(const char *name, uint64_t bytes, uint8_t way) {
  for (const TriggerKind &kind : kKinds)
    if (kind.ways & way && is_text(name, bytes, kind.name))
      return &kind;
  return nullptr;
}

Status read_trigger_kind(Scanner *in, uint8_t way, Trigger *made) {
  uint64_t length = in->length_of(is_name_part);
  made->kind = find_trigger_kind(in->here(), length, way);
  if (!made->kind)
    return failure(EINVAL, "there is no such trigger here: the file lists the names when it has no "
                           "trigger");
  made->text.add(made->kind->name);
  in->go_to(in->at() + length);
  return made->kind->parse ? made->kind->parse(in, made) : Status{};
}

Status read_trigger(Scanner *in, uint8_t way, Trigger *made) {
  NOPHOOK_TRY(read_trigger_kind(in, way, made));
  made->count = -1;
  if (in->skip(':') && !read_count(in, &made->count))
    return failure(EINVAL, "a trigger's count is a number or `unlimited`");
  return {};
}

bool take_one(int64_t *count) {
  int64_t left = __atomic_load_n(count, __ATOMIC_RELAXED);
  do
    if (left == 0)
      return false;
  while (left > 0 && !__atomic_compare_exchange_n(count, &left, left - 1, false, __ATOMIC_RELAXED,
                                                  __ATOMIC_RELAXED));
  return true;
}

} // namespace nophook
