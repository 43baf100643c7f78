// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands of set_ftrace_filter: triggers that a function fires when it is called, and rates, which
// are rules of the tracer (selection/rates.h).
//
//      GLOB:TRIGGER[:COUNT]
//      GLOB:sample:N
//      GLOB:ratelimit:N/s
//      !GLOB:COMMAND          removes it
//
// Each trigger is an ops of its own with a filter of its own, so libraries that are loaded later
// need no special care.

#include "base/limit_text.h"
#include "ops/glob.h"
#include "ops/ops.h"
#include "tracers/function_commands.h"
#include "triggers/trigger.h"

#include <errno.h>

namespace nophook {
namespace {

constexpr const char *kSample = "sample", *kRate = "ratelimit";

// The parts of a token.
struct Words {
  bool removes;
  const char *glob;
  uint64_t glob_bytes;
  Scanner command; // from the command's name on
};

// Takes a token apart. C++ names have colons: a command is a whole word behind one.
bool parse(const char *token, uint64_t bytes, Words *words) {
  words->removes = bytes && *token == '!';
  token += words->removes;
  bytes -= words->removes;
  for (uint64_t at = 1; at < bytes; at++) {
    if (token[at] != ':')
      continue;
    Scanner in(token + at + 1, bytes - at - 1);
    const uint64_t length = in.length_of(is_name_part);
    if ((length < in.left() && in.peek(length) != ':') ||
        !(find_trigger_kind(in.here(), length, kByFunction) ||
          is_text(in.here(), length, kSample) || is_text(in.here(), length, kRate)))
      continue;
    words->glob = token;
    words->glob_bytes = at;
    words->command = in;
    return true;
  }
  return false;
}

void fire(unsigned long ip, unsigned long, ftrace_ops *ops, ftrace_regs *regs) {
  run_trigger(*reinterpret_cast<Trigger *>(ops), {ip, regs, nullptr, 0});
}

bool same_command(const Trigger *trigger, const Trigger &other) {
  return !trigger->event && is_text(trigger->text.c_str(), other.text.c_str());
}

Status prepare(Trigger *made) {
  ftrace_ops &ops = made->ops;
  ops.func = fire;
  ops.flags |= FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_SAVE_REGS;
  NOPHOOK_TRY(initialise_ops(&ops, Role::kCallback));
  NOPHOOK_TRY(ops.state->filter.change(made->glob.c_str(), made->glob.size(), true, "",
                                       Filter::Misses::kAllowed));
  publish_filters(ops.state);
  return {};
}

// Starts a trigger. Adding a trigger that switches an event may have opened the buffer, which
// starts all triggers.
Status start(Trigger *trigger) {
  return trigger->ops.flags & FTRACE_OPS_FL_ENABLED ? Status{} : add_ops(&trigger->ops);
}

// Adds a trigger. As in the kernel, an existing trigger gets the new count.
Status add(Trigger *made) {
  for (Trigger *old = first_trigger(made->array); old; old = old->next)
    if (same_command(old, *made) && is_text(old->glob.c_str(), made->glob.c_str())) {
      __atomic_store_n(&old->count, made->count, __ATOMIC_RELAXED);
      return {};
    }
  NOPHOOK_TRY(prepare(made));
  NOPHOOK_TRY(add_trigger(made));
  Status status = first_module() ? start(made) : Status{};
  if (!status.ok()) {
    Status ignored = remove_trigger(made);
    (void)ignored; // the first error is the answer
  }
  return status;
}

bool has_same_functions(const Filter &a, const Filter &b) {
  bool same = true;
  for (uint32_t word = 0; word < id_limit() / 64 + 1 && same; word++)
    same = hash_word(a.hash(), word) == hash_word(b.hash(), word);
  return same;
}

// Takes the functions of `pattern`, a glob behind "!", away from a trigger; a trigger without
// functions ends. `*any` becomes true if it had some of them.
Status take_from(Trigger *trigger, const Text<257> &pattern, bool *any) {
  Filter &now = trigger->ops.state->filter, &left = spare_filter();
  NOPHOOK_TRY(left.copy(now));
  Status status = left.change(pattern.c_str(), pattern.size(), false, "", Filter::Misses::kRefused);
  if (status.error == EINVAL || (status.ok() && has_same_functions(left, now)))
    return {};
  NOPHOOK_TRY(status);
  *any = true;
  if (left.is_empty())
    return remove_trigger(trigger);
  now.swap(left);
  status = refilter(&trigger->ops);
  if (!status.ok())
    now.swap(left);
  return status;
}

// Removes the triggers, as in the kernel, from each function that the glob names, whichever
// patterns they came by.
Status remove(const Trigger &wanted) {
  Text<257> pattern;
  pattern.add("!").add(wanted.glob.c_str());
  bool any = false;
  for (Trigger *trigger = first_trigger(wanted.array), *next; trigger; trigger = next) {
    next = trigger->next;
    if (!same_command(trigger, wanted))
      continue;
    if (glob_match(wanted.glob.c_str(), trigger->glob.c_str())) {
      any = true;
      NOPHOOK_TRY(remove_trigger(trigger));
    } else {
      NOPHOOK_TRY(take_from(trigger, pattern, &any));
    }
  }
  return any ? Status{} : failure(EINVAL, "there is no such trigger");
}

Status change(Words words, Trigger *made) {
  made->glob.add(words.glob, words.glob_bytes);
  if (made->glob.size() != words.glob_bytes)
    return failure(EINVAL, "a trigger's pattern is too long");
  if (words.removes) { // as in the kernel, the count is not read: trace-cmd writes a part of it
    NOPHOOK_TRY(read_trigger_kind(&words.command, kByFunction, made));
    return remove(*made);
  }
  NOPHOOK_TRY(read_trigger(&words.command, kByFunction, made));
  if (!words.command.is_end())
    return failure(EINVAL, "a trigger's count is a number or `unlimited`");
  return add(made);
}

Status change_rates(Rules &rules, Words words) {
  const bool is_sample = words.command.skip(kSample);
  Rates &rates = rules.rates();
  Status status;
  if (words.removes) {
    if (!rates.remove(words.glob, words.glob_bytes, is_sample))
      status = failure(EINVAL, "there is no such rule");
  } else {
    uint64_t number;
    words.command.skip(kRate);
    if (!words.command.skip(':') || !words.command.number(&number) ||
        !(is_sample || words.command.is_end() || words.command.skip("/s")) ||
        !words.command.is_end())
      return failure(EINVAL, "a command of a function ends with a number");
    status = is_sample ? rates.add_sample(words.glob, words.glob_bytes, number)
                       : rates.add_rate_limit(words.glob, words.glob_bytes, number);
  }
  rules.count();
  return status;
}

} // namespace

bool is_function_command(const char *token, uint64_t bytes) {
  Words words = {false, nullptr, 0, {nullptr, 0}};
  return parse(token, bytes, &words);
}

Status change_function_commands(uint32_t array, const char *token, uint64_t bytes,
                                Filter::Misses misses, bool *is_command) {
  Words words = {false, nullptr, 0, {nullptr, 0}};
  *is_command = parse(token, bytes, &words);
  if (!*is_command)
    return {};
  if (!words.removes && misses == Filter::Misses::kRefused)
    NOPHOOK_TRY(spare_filter().change(words.glob, words.glob_bytes, true, "", misses));
  if (!find_trigger_kind(words.command.here(), words.command.length_of(is_name_part), kByFunction))
    return change_rates(array_numbered(array).rules, words);
  Trigger *made = new_trigger();
  if (!made)
    return failure(ENOMEM, "no memory for a trigger");
  made->array = (uint8_t)array;
  Status status = change(words, made);
  if (!made->is_known)
    free_trigger(made);
  return status;
}

void report_trigger_misses(uint32_t array, const char *folder) {
  for (Trigger *trigger = first_trigger(array); trigger; trigger = trigger->next)
    if (!trigger->event)
      trigger->ops.state->filter.report_misses(folder, "set_ftrace_filter");
}

Status start_function_triggers(uint32_t array) {
  for (Trigger *trigger = first_trigger(array); trigger; trigger = trigger->next)
    if (!trigger->event)
      NOPHOOK_TRY(start(trigger));
  return {};
}

} // namespace nophook
