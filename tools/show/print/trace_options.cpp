// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds options by their names, and refuses those that cannot be changed.

#include "show/print/trace_options.h"

#include <fmt/format.h>
#include <nophook/option_names.h>

namespace nophook {

namespace {

struct Option {
  const char *name;
  bool TraceOptions::*flag;
};
constexpr Option kOptions[] = {
#define NOT_SHOWN
#define SHOWN(member) &TraceOptions::member
#define ROW(name, is_on, recorded, shown) ROW_IF(name, shown)
#define ROW_IF(name, ...) __VA_OPT__({name, __VA_ARGS__}, )
    NOPHOOK_TRACE_OPTIONS(ROW)
#undef ROW_IF
#undef ROW
#undef SHOWN
#undef NOT_SHOWN
};

// An option whose effect cannot be changed.
struct Refusal {
  const char *text;
  const char *reason;
};
constexpr Refusal kRefusals[] = {
    {"funcgraph-irqs", "a process sees no interrupts"},
    {"funcgraph-retaddr", "function_graph records no return addresses; the tracer function does"},
    {"latency-format", "its columns show interrupts and preemption, which a process cannot see"},
};
constexpr const char *kAsTheyAre[] = {"nofuncgraph-irqs", "nofuncgraph-retaddr",
                                      "nolatency-format"};

Error refused(const std::string &problem) {
  return {"report", "", problem, kExitUsage};
}

} // namespace

Result<> set_trace_option(const std::string &text, TraceOptions *options) {
  for (const Option &option : kOptions)
    for (bool on : {true, false})
      if (text == (on ? "" : "no") + std::string(option.name)) {
        options->*option.flag = on;
        return {};
      }
  if (text == "wall" || text == "nowall") {
    options->wall = text == "wall";
    options->abstime |= options->wall; // function_graph shows a time only so
    return {};
  }
  for (const char *name : kAsTheyAre)
    if (text == name)
      return {};
  for (const Refusal &refusal : kRefusals)
    if (text == refusal.text)
      return refused(fmt::format("option {}: {}", text, refusal.reason));
  return refused(fmt::format("unknown option '{}' (of these, with or without `no`: {})", text,
                             trace_option_list()));
}

std::string trace_option_list() {
  constexpr TraceOptions kDefaults;
  std::string list;
  for (const Option &option : kOptions)
    list += fmt::format("{}{}{}", list.empty() ? "" : " ", kDefaults.*option.flag ? "no" : "",
                        option.name);
  list += " wall";
  return list;
}

} // namespace nophook
