// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that hold a set of functions: the functions that a tracer traces, and those beneath
// which it does.

#include "base/lock.h"
#include "ops/adopt.h"
#include "selection/rules.h"
#include "tracefs/control_file.h"
#include "tracefs/function_list.h"
#include "tracers/stack_tracer.h"
#include "tracers/tracer.h"
#include "tracers/usdt.h"
#include "triggers/trigger.h"

namespace nophook {
namespace {

// `function:` in front of each, as the kernel lists them.
Status add_triggers(uint32_t array, ControlText &text) {
  for (const Trigger *trigger = first_trigger(array); trigger; trigger = trigger->next)
    if (!trigger->event && !hash_is_empty(trigger->ops.state->filter.hash()))
      NOPHOOK_TRY(each_function(trigger->ops.state->filter.hash(), [&](const Function &function) {
        add_name(text, function);
        list_trigger(*trigger, text.add(":"));
      }));
  return {};
}

constexpr char kAll[] = "#### all functions enabled ####\n";
constexpr char kNone[] = "#### no functions disabled ####\n";

template <TracerFilter Which>
constexpr FunctionSet kTracerSet = {
    .find = [](trace_array &tr, Filter **filter) { return tracer_filter(tr, Which, filter); },
    .replace = [](trace_array &tr,
                  Filter *changed) { return replace_tracer_filter(tr, Which, changed); },
    .follow = Which == TracerFilter::kFilter ? follow_settings : nullptr,
    .takes_commands = Which == TracerFilter::kFilter,
    .nothing = Which == TracerFilter::kFilter ? kAll : kNone};

template <PublishedFilter Rules::*Which>
constexpr FunctionSet kGraphSet = {
    .find = [](trace_array &tr, Filter **filter) { return (tr.rules.*Which).find(filter); },
    .replace =
        [](trace_array &tr, Filter *changed) {
          Status status = (tr.rules.*Which).replace(changed);
          tr.rules.count();
          return status;
        },
    .follow = follow_settings,
    .takes_commands = false,
    .nothing = Which == &Rules::roots ? kAll : kNone};

constexpr FunctionSet kUsdtSet = {
    .find = [](trace_array &, Filter **filter) { return usdt_filter(filter); },
    .replace = [](trace_array &, Filter *changed) { return replace_usdt_filter(changed); },
    .follow = [](trace_array &) { return follow_usdt(); },
    .takes_commands = false,
    .nothing = "#### no functions ####\n"};

constexpr FunctionSet kStackSet = {
    .find = [](trace_array &, Filter **filter) { return stack_filter(filter); },
    .replace = [](trace_array &, Filter *changed) { return replace_stack_filter(changed); },
    .follow = nullptr,
    .takes_commands = false,
    .nothing = kAll};

constexpr ControlFile file_of(const char *path, SettingScope scope, const FunctionSet &set) {
  return {.path = path, .scope = scope, .kind = ControlFile::Kind::kFunctions, .functions = &set};
}

constexpr ControlFile kFiles[] = {
    file_of("set_ftrace_filter", SettingScope::kEvery, kTracerSet<TracerFilter::kFilter>),
    file_of("set_ftrace_notrace", SettingScope::kEvery, kTracerSet<TracerFilter::kNotrace>),
    file_of("set_graph_function", SettingScope::kEvery, kGraphSet<&Rules::roots>),
    file_of("set_graph_notrace", SettingScope::kEvery, kGraphSet<&Rules::hidden>),
    file_of("stack_trace_filter", SettingScope::kTop, kStackSet),
    file_of("set_usdt_filter", SettingScope::kTop, kUsdtSet),
};

} // namespace

// Shows the functions, the triggers, and the patterns that wait for a module.
Status read_function_set(const FunctionSet &set, trace_array &tr, ControlText &text) {
  RuntimeLock lock;
  NOPHOOK_TRY(adopt_modules());
  Filter *filter;
  NOPHOOK_TRY(set.find(tr, &filter));
  uint64_t before = text.size();
  if (!hash_is_empty(filter->hash()))
    NOPHOOK_TRY(add_names(text, filter->hash()));
  if (set.takes_commands)
    NOPHOOK_TRY(add_triggers(tr.number, text));
  filter->each_waiting(
      [](void *to, const char *rule) { static_cast<ControlText *>(to)->add(rule).add("\n"); },
      &text);
  if (text.size() == before)
    text.add(set.nothing);
  return {};
}

ControlFiles filter_files() {
  return {kFiles, kFiles + sizeof kFiles / sizeof *kFiles};
}

} // namespace nophook
