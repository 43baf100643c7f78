// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that hold a set of functions: which ones a tracer traces, and beneath which.

#include "base/lock.h"
#include "tracefs/control_file.h"
#include "tracefs/function_list.h"
#include "tracers/rules.h"
#include "tracers/stack_tracer.h"
#include "tracers/tracer.h"
#include "tracers/triggers.h"
#include "tracers/usdt.h"

namespace nophook {
namespace {

// `function:command:unlimited` or `function:command:count=N`, as the kernel lists them.
Status add_triggers(uint32_t instance, ControlText &text) {
  struct List {
    ControlText *text;
    Status status;
  } list = {&text, {}};
  each_trigger(
      instance,
      [](void *context, const TriggerView &trigger) {
        auto &to = *static_cast<List *>(context);
        if (!to.status.ok() || hash_is_empty(trigger.functions))
          return;
        to.status = each_function(trigger.functions, [&](const Function &function) {
          add_name(*to.text, function);
          to.text->add(":").add(trigger.command);
          if (trigger.count < 0)
            to.text->add(":unlimited\n");
          else
            to.text->add(":count=").number((uint64_t)trigger.count).add("\n");
        });
      },
      &list);
  return list.status;
}

template <TracerFilter Which>
constexpr FunctionSet kTracerSet = {
    .find = [](uint64_t, Filter **filter) { return tracer_filter(Which, filter); },
    .replace = [](uint64_t, Filter *changed) { return replace_tracer_filter(Which, changed); },
    .settle = nullptr,
    .takes_commands = Which == TracerFilter::kFilter};

template <PublishedFilter Rules::*Which>
constexpr FunctionSet kGraphSet = {
    .find = [](uint64_t, Filter **filter) { return (g_rules.*Which).find(filter); },
    .replace =
        [](uint64_t, Filter *changed) {
          Status status = (g_rules.*Which).replace(changed);
          count_rules();
          return status;
        },
    .settle = follow_settings,
    .takes_commands = false};

constexpr FunctionSet kUsdtSet = {
    .find = [](uint64_t, Filter **filter) { return usdt_filter(filter); },
    .replace = [](uint64_t, Filter *changed) { return replace_usdt_filter(changed); },
    .settle = settle_usdt,
    .takes_commands = false};

constexpr FunctionSet kStackSet = {
    .find = [](uint64_t, Filter **filter) { return stack_filter(filter); },
    .replace = [](uint64_t, Filter *changed) { return replace_stack_filter(changed); },
    .settle = nullptr,
    .takes_commands = false};

constexpr char kAll[] = "#### all functions enabled ####\n";
constexpr char kNone[] = "#### no functions disabled ####\n";

constexpr struct {
  const char *path;
  const FunctionSet *set;
  const char *nothing;
} kSets[] = {
    {"set_ftrace_filter", &kTracerSet<TracerFilter::kFilter>, kAll},
    {"set_ftrace_notrace", &kTracerSet<TracerFilter::kNotrace>, kNone},
    {"set_graph_function", &kGraphSet<&Rules::roots>, kAll},
    {"set_graph_notrace", &kGraphSet<&Rules::hidden>, kNone},
    {"stack_trace_filter", &kStackSet, kAll},
    {"set_usdt_filter", &kUsdtSet, "#### no functions ####\n"},
};

Status read_filter(uint64_t which, ControlText &text) {
  return read_function_set(*kSets[which].set, which, 0, kSets[which].nothing, text);
}

} // namespace

// The functions, the triggers, what waits for a module.
Status read_function_set(const FunctionSet &set, uint64_t which, uint32_t instance,
                         const char *nothing, ControlText &text) {
  RuntimeLock lock;
  NOPHOOK_TRY(adopt_modules());
  Filter *filter;
  NOPHOOK_TRY(set.find(which, &filter));
  uint64_t before = text.size();
  if (!hash_is_empty(filter->hash()))
    NOPHOOK_TRY(add_names(text, filter->hash()));
  if (set.takes_commands)
    NOPHOOK_TRY(add_triggers(instance, text));
  filter->each_waiting(
      [](void *to, const char *rule) { static_cast<ControlText *>(to)->add(rule).add("\n"); },
      &text);
  if (text.size() == before)
    text.add(nothing);
  return {};
}

void visit_filter_files(VisitFile visit, void *context) {
  uint64_t which = 0;
  for (const auto &set : kSets)
    visit(context, {.path = set.path,
                    .which = which++,
                    .kind = ControlFile::Kind::kFunctions,
                    .read_of = read_filter,
                    .functions = set.set});
}

} // namespace nophook
