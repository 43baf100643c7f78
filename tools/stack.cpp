// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook stack: the deepest stack of a recording, as the kernel's stack_trace shows it.

#include "foundation/file.h"
#include "foundation/json.h"
#include "foundation/options.h"
#include "foundation/output.h"
#include "foundation/terminal.h"
#include "process/drain/open_recording.h"
#include "read/analyse/deepest_stack.h"
#include "read/recording/tracer_form.h"
#include "read/select/selection_options.h"
#include "show/print/closing_notes.h"
#include "show/print/colours.h"
#include "verbs.h"

namespace nophook {

namespace {

struct Options {
  std::string path = "nophook.data";
  uint64_t limit = 0;
  bool by_thread = false;
  bool json = false;
  NamesOption names;
  Selection selection;
};

std::string thread_text(const DeepestStack &stack) {
  return fmt::format("{}-{}", stack.comm, stack.tid);
}

// Depths are counted from the stack pointer at the outermost call's entry; the innermost call has
// used nothing of the stack yet but its return address.
constexpr uint64_t kReturnAddressBytes = 8;

void print_text(Output &output, Functions &functions, const DeepestStack &stack) {
  output.line("# {}: {} bytes below its outermost call", thread_text(stack),
              stack.bytes() + kReturnAddressBytes);
  output.line("        Depth    Size   Location    ({} entries)", stack.calls.size());
  output.line("        -----    ----   --------");
  for (size_t i = stack.calls.size(); i-- > 0;) {
    bool is_last = i + 1 == stack.calls.size();
    uint64_t end = is_last ? stack.bytes() + kReturnAddressBytes : stack.calls[i + 1].depth;
    output.line("{:>3}) {:>8} {:>7}   {}", stack.calls.size() - 1 - i, end,
                end - stack.calls[i].depth, functions.name(stack.process, stack.calls[i].id));
  }
}

void print_json(Output &output, Functions &functions, const Recording &recording,
                const DeepestStack &stack) {
  Json calls = Json::list();
  for (const auto &call : stack.calls)
    calls.push({{"function", functions.name(stack.process, call.id)}, {"depth", call.depth}});
  Json line = {{"pid", stack.pid},
               {"tid", stack.tid},
               {"comm", stack.comm},
               {"bytes", stack.bytes() + kReturnAddressBytes},
               {"time_ns", recording.clock().at(stack.tsc)},
               {"calls", calls}};
  output.line("{}", line.text());
}

} // namespace

Result<int> stack_verb(const Arguments &arguments) {
  Options options;
  VerbOptions verb = {
      "nophook stack",
      "Shows the deepest stack, and the calls on it. The recording must be one of "
      "function_graph.",
      {{"PATH", &options.path, "the recording (nophook.data)"},
       {"--limit",
        &options.limit,
        "report each time that a stack grows beyond BYTES; exit status 1 if there is one",
        {.type = "BYTES", .range = {uint64_t{0}, uint64_t{1} << 62}}}, // -1 is no number of bytes
       {"--by-thread", &options.by_thread, "show the deepest stack of each thread"},
       options.names.row(),
       {"--json", &options.json, "one JSON object a line"}}};
  // How long a call takes changes no depth.
  add_selection_options(&verb, &options.selection, "--min-duration --off-cpu");
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  NOPHOOK_TRY(read_times("stack", &options.selection));
  auto recording = open_recording(options.path);
  NOPHOOK_TRY(recording);
  if (!is_graph_recording(*recording) || is_profile_recording(*recording))
    return error_at(options.path, "was not recorded by function_graph, so it has no stacks");
  const Terminal terminal = Terminal::of_stdout();
  Functions functions(*recording, options.names.style(terminal.is_terminal && !options.json));
  auto filter = make_filter("stack", options.selection, *recording, functions, false);
  NOPHOOK_TRY(filter);
  Output output;
  if (!options.json)
    show_on(output, terminal);
  StackDepths depths = read_stack_depths(*recording, *filter ? &**filter : nullptr, options.limit);
  for (const StackCrossing &crossing : depths.crossings) {
    const DeepestStack &stack = depths.threads[crossing.thread];
    uint64_t us = recording->clock().at(crossing.tsc) / 1000;
    std::string name = functions.name(stack.process, crossing.id);
    if (options.json)
      output.line("{}", Json{{"pid", stack.pid},
                             {"tid", stack.tid},
                             {"comm", stack.comm},
                             {"beyond", options.limit},
                             {"bytes", crossing.bytes},
                             {"time_ns", recording->clock().at(crossing.tsc)},
                             {"function", name}}
                            .text());
    else
      output.line("# {}.{:06}: {} enters {} with {} bytes: beyond {}", us / 1000000, us % 1000000,
                  thread_text(stack), name, crossing.bytes, options.limit);
  }
  for (const DeepestStack &stack : depths.threads) {
    if (options.json)
      print_json(output, functions, *recording, stack);
    else
      print_text(output, functions, stack);
    if (!options.by_thread)
      break;
  }
  NOPHOOK_TRY(output.flush());
  NOPHOOK_TRY(print_closing_notes(*recording, functions, depths.skipped));
  if (*filter)
    NOPHOOK_TRY(print_unmatched(options.path, functions, **filter));
  return depths.crossings.empty() ? kExitOk : kExitFailure;
}

} // namespace nophook
