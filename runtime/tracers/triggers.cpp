// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tracers/triggers.h"

#include "base/bytes.h"
#include "base/limit_text.h"
#include "base/lock.h"
#include "base/log.h"
#include "ops/glob.h"
#include "ops/ops.h"
#include "ops/thread.h"
#include "tracers/trace_array.h"
#include "tracers/trigger_action.h"

#include <errno.h>

namespace nophook {
namespace {

enum class Command : uint8_t { kTraceOn, kTraceOff, kStack, kSnapshot, kDump, kSample, kRate };
constexpr struct {
  const char *name;
  Command command;
} kCommands[] = {
    {"traceon", Command::kTraceOn},  {"traceoff", Command::kTraceOff},
    {"stacktrace", Command::kStack}, {"snapshot", Command::kSnapshot},
    {"dump", Command::kDump},        {"sample", Command::kSample},
    {"ratelimit", Command::kRate},
};

constexpr uint32_t kMaxTriggers = 64;
constexpr int64_t kUnlimited = -1;
constexpr uint32_t kGlobBytes = 256;

struct Trigger {
  ftrace_ops ops; // first
  Command command;
  uint8_t instance; // whose buffer it acts on; 0: the main one
  bool is_used;
  uint64_t number; // which that there has been: they are listed by it
  int64_t count;   // how often it may still act
  char glob[kGlobBytes];
};
Trigger g_triggers[kMaxTriggers];
uint64_t g_count = 0; // that there have been

// A token, taken apart.
struct Words {
  uint8_t instance;
  const char *glob;
  uint64_t glob_bytes;
  Command command;
  const char *parameter; // null: none
  uint64_t parameter_bytes;
  bool removes;
};

// C++ names have colons: a command is a whole word behind one, and what follows has none but one.
bool parse(const char *token, uint64_t bytes, Words *words) {
  words->removes = bytes && *token == '!';
  token += words->removes;
  bytes -= words->removes;
  for (uint64_t at = 1; at < bytes; at++) {
    if (token[at] != ':')
      continue;
    for (const auto &command : kCommands) {
      uint64_t length = text_length(command.name), end = at + 1 + length;
      if (end > bytes || !equal_bytes(token + at + 1, command.name, length) ||
          (end < bytes && token[end] != ':'))
        continue;
      words->glob = token;
      words->glob_bytes = at;
      words->command = command.command;
      words->parameter = end < bytes ? token + end + 1 : nullptr;
      words->parameter_bytes = end < bytes ? bytes - end - 1 : 0;
      return true;
    }
  }
  return false;
}

Status read_count(const Words &words, const char *suffix, uint64_t *number) {
  uint64_t at = 0, sum = 0;
  const char *text = words.parameter;
  while (at < words.parameter_bytes && text[at] >= '0' && text[at] <= '9' && sum < UINT32_MAX)
    sum = sum * 10 + (uint64_t)(text[at++] - '0');
  uint64_t rest = words.parameter_bytes - at;
  bool has_suffix = is_text(text + at, rest, suffix);
  if (!at || (rest && !has_suffix))
    return failure(EINVAL, "a command of a function ends with a number");
  *number = sum;
  return {};
}

void fire(unsigned long ip, unsigned long, ftrace_ops *ops, ftrace_regs *regs) {
  auto *trigger = reinterpret_cast<Trigger *>(ops);
  auto run = [&](TriggerAction action) {
    run_trigger_action(action, buffer_of(trigger->instance), &trigger->count, ip, regs);
  };
  switch (trigger->command) {
  case Command::kTraceOn:
    return run(TriggerAction::kTraceOn);
  case Command::kTraceOff:
    return run(TriggerAction::kTraceOff);
  case Command::kStack:
    return run(TriggerAction::kStackTrace);
  case Command::kSnapshot:
    return run(TriggerAction::kSnapshot);
  case Command::kDump:
    return run(TriggerAction::kDump);
  case Command::kSample:
  case Command::kRate:
    return;
  }
}

Trigger *find(const Words &words, bool is_used) {
  for (Trigger &trigger : g_triggers) {
    if (!is_used && !trigger.is_used && !(trigger.ops.flags & FTRACE_OPS_FL_REMOVING))
      return &trigger;
    if (is_used && trigger.is_used && trigger.command == words.command &&
        trigger.instance == words.instance && is_text(words.glob, words.glob_bytes, trigger.glob))
      return &trigger;
  }
  return nullptr;
}

// N, and as the file lists it: `count=N` or `unlimited`.
Status read_limit(Words words, int64_t *limit) {
  auto begins_with = [&](const char *word) {
    uint64_t bytes = text_length(word);
    return words.parameter_bytes >= bytes && equal_bytes(words.parameter, word, bytes);
  };
  constexpr const char *kNone = "unlimited", *kCount = "count=";
  *limit = kUnlimited;
  if (!words.parameter || (begins_with(kNone) && words.parameter_bytes == text_length(kNone)))
    return {};
  if (begins_with(kCount)) {
    words.parameter += text_length(kCount);
    words.parameter_bytes -= text_length(kCount);
  }
  uint64_t count;
  NOPHOOK_TRY(read_count(words, "", &count));
  *limit = (int64_t)count;
  return {};
}

Status add(const Words &words) {
  int64_t limit;
  NOPHOOK_TRY(read_limit(words, &limit));
  Trigger *trigger = find(words, true);
  bool is_new = !trigger;
  if (is_new && (!(trigger = find(words, false)) || words.glob_bytes >= sizeof(trigger->glob)))
    return failure(
        ENOSPC,
        limit_text<"there are ", kMaxTriggers, " triggers already, or a pattern is too long">);
  __atomic_store_n(&trigger->count, limit, __ATOMIC_RELAXED);
  if (!is_new)
    return {};
  trigger->command = words.command;
  trigger->instance = words.instance;
  copy_bytes(trigger->glob, words.glob, words.glob_bytes);
  trigger->glob[words.glob_bytes] = 0;
  trigger->ops.func = fire;
  trigger->ops.flags |=
      FTRACE_OPS_FL_RECURSION_SAFE | FTRACE_OPS_FL_GENERAL_REGS | FTRACE_OPS_FL_SAVE_REGS;
  NOPHOOK_TRY(initialise_ops(&trigger->ops, Role::kCallback));
  NOPHOOK_TRY(trigger->ops.state->filter.change(words.glob, words.glob_bytes, true, "",
                                                Filter::Misses::kAllowed));
  publish_filters(trigger->ops.state);
  trigger->is_used = true;
  trigger->number = ++g_count;
  return first_module() ? add_ops(&trigger->ops) : Status{};
}

// Its place is not used again before free_removed_triggers().
Status end(Trigger *trigger) {
  __atomic_store_n(&trigger->count, (int64_t)0, __ATOMIC_RELAXED);
  trigger->is_used = false;
  return trigger->ops.flags & FTRACE_OPS_FL_ENABLED ? remove_ops(&trigger->ops) : Status{};
}

bool has_same_functions(const Filter &a, const Filter &b) {
  bool same = true;
  for (uint32_t word = 0; word < id_limit() / 64 + 1 && same; word++)
    same = hash_word(a.hash(), word) == hash_word(b.hash(), word);
  return same;
}

// Without the functions of `token`; one that has none left ends. `*any`: it had some of them.
Status take_from(Trigger *trigger, const Text<kGlobBytes + 1> &token, bool *any) {
  Filter &now = trigger->ops.state->filter, &left = spare_filter();
  NOPHOOK_TRY(left.copy(now));
  Status status = left.change(token.c_str(), token.size(), false, "", Filter::Misses::kRefused);
  if (status.error == EINVAL || (status.ok() && has_same_functions(left, now)))
    return {};
  NOPHOOK_TRY(status);
  *any = true;
  if (left.is_empty())
    return end(trigger);
  now.swap(left);
  status = refilter(&trigger->ops);
  if (!status.ok())
    now.swap(left);
  return status;
}

// As in the kernel from each function that the glob names, whichever patterns they came by.
Status remove(const Words &words) {
  if (words.glob_bytes >= kGlobBytes)
    return failure(EINVAL, "there is no such trigger");
  Text<kGlobBytes + 1> token;
  token.add("!").add(words.glob, words.glob_bytes);
  bool any = false;
  for (Trigger &trigger : g_triggers) {
    if (!trigger.is_used || trigger.command != words.command || trigger.instance != words.instance)
      continue;
    if (glob_match(token.c_str() + 1, trigger.glob)) {
      any = true;
      NOPHOOK_TRY(end(&trigger));
    } else {
      NOPHOOK_TRY(take_from(&trigger, token, &any));
    }
  }
  return any ? Status{} : failure(EINVAL, "there is no such trigger");
}

Status change_rates(Rules &rules, const Words &words) {
  const bool is_sample = words.command == Command::kSample;
  Rates &rates = rules.rates();
  Status status;
  if (words.removes) {
    if (!rates.remove(words.glob, words.glob_bytes, is_sample))
      status = failure(EINVAL, "there is no such rule");
  } else {
    uint64_t number;
    NOPHOOK_TRY(read_count(words, is_sample ? "" : "/s", &number));
    status = is_sample ? rates.add_sample(words.glob, words.glob_bytes, number)
                       : rates.add_rate_limit(words.glob, words.glob_bytes, number);
  }
  rules.count();
  return status;
}

} // namespace

bool is_trigger_command(const char *token, uint64_t bytes) {
  Words words;
  return parse(token, bytes, &words);
}

Status change_triggers(uint32_t instance, const char *token, uint64_t bytes, Filter::Misses misses,
                       bool *is_command) {
  Words words = {};
  words.instance = (uint8_t)instance;
  *is_command = parse(token, bytes, &words);
  if (!*is_command)
    return {};
  if (!words.removes && misses == Filter::Misses::kRefused)
    NOPHOOK_TRY(spare_filter().change(words.glob, words.glob_bytes, true, "", misses));
  if (words.command == Command::kSample || words.command == Command::kRate)
    return change_rates(array_numbered(instance).rules, words);
  return words.removes ? remove(words) : add(words);
}

// Others may be at it, and more may come, while nobody holds the lock: each finishes what it has
// waited for.
void free_removed_triggers() {
  uint64_t last;
  bool any = false;
  {
    RuntimeLock lock;
    last = last_removal();
    for (const Trigger &trigger : g_triggers)
      any |= removal_of(&trigger.ops) != 0;
  }
  if (!any || !wait_for_callbacks().ok())
    return;
  RuntimeLock lock;
  for (Trigger &trigger : g_triggers)
    if (uint64_t removal = removal_of(&trigger.ops); removal && removal <= last)
      finish_removal(&trigger.ops);
}

void triggers_leave_instance(uint32_t instance) {
  for (Trigger &trigger : g_triggers)
    if (trigger.is_used && trigger.instance == instance) {
      trigger.is_used = false;
      if (trigger.ops.flags & FTRACE_OPS_FL_ENABLED)
        cut_off_ops(&trigger.ops);
    }
}

void each_trigger(uint32_t instance, void (*visit)(void *context, const TriggerView &trigger),
                  void *context) {
  for (uint64_t last = 0;;) {
    const Trigger *next = nullptr;
    for (const Trigger &trigger : g_triggers)
      if (trigger.is_used && trigger.instance == instance && trigger.number > last &&
          (!next || trigger.number < next->number))
        next = &trigger;
    if (!next)
      return;
    last = next->number;
    for (const auto &command : kCommands)
      if (command.command == next->command)
        visit(context, {command.name, next->ops.state->filter.hash(), next->count});
  }
}

void report_trigger_misses(uint32_t instance, const char *folder) {
  for (Trigger &trigger : g_triggers)
    if (trigger.is_used && trigger.instance == instance)
      trigger.ops.state->filter.report_misses(folder, "set_ftrace_filter");
}

Status start_triggers(uint32_t instance) {
  for (Trigger &trigger : g_triggers)
    if (trigger.is_used && trigger.instance == instance &&
        !(trigger.ops.flags & FTRACE_OPS_FL_ENABLED))
      NOPHOOK_TRY(add_ops(&trigger.ops));
  return {};
}

} // namespace nophook
