// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/trace_options.h"

#include <fmt/format.h>

namespace nophook {

namespace {

struct Option {
  const char *name;
  bool TraceOptions::*flag;
};
constexpr Option kOptions[] = {
    {"print-parent", &TraceOptions::print_parent},
    {"sym-offset", &TraceOptions::sym_offset},
    {"sym-addr", &TraceOptions::sym_addr},
    {"irq-info", &TraceOptions::irq_info},
    {"record-tgid", &TraceOptions::record_tgid},
    {"func-args", &TraceOptions::func_args},
    {"func-no-repeats", &TraceOptions::func_no_repeats},
    {"funcgraph-abstime", &TraceOptions::abstime},
    {"funcgraph-cpu", &TraceOptions::cpu},
    {"funcgraph-proc", &TraceOptions::proc},
    {"funcgraph-duration", &TraceOptions::duration},
    {"funcgraph-overhead", &TraceOptions::overhead},
    {"funcgraph-tail", &TraceOptions::tail},
    {"funcgraph-overrun", &TraceOptions::overrun},
    {"funcgraph-args", &TraceOptions::args},
    {"funcgraph-retval", &TraceOptions::retval},
    {"funcgraph-retval-hex", &TraceOptions::retval_hex},
    {"graph-time", &TraceOptions::graph_time},
};

// What cannot be shown otherwise than it is.
struct Refusal {
  const char *text;
  const char *reason;
};
constexpr Refusal kRefusals[] = {
    {"nosleep-time",
     "the time that a call slept is not recorded: that needs the scheduler's events"},
    {"funcgraph-irqs", "a process sees no interrupts"},
    {"funcgraph-retaddr", "function_graph records no return addresses; the tracer function does"},
    {"latency-format", "its columns show interrupts and preemption, which a process cannot see"},
};
constexpr const char *kAsTheyAre[] = {"sleep-time", "nofuncgraph-irqs", "nofuncgraph-retaddr",
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
  return list;
}

} // namespace nophook
