// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook graph: the calls of a recording, merged: where the time went, along the chain of callers;
// or what a function calls, or its callers.

#include "foundation/json.h"
#include "foundation/options.h"
#include "foundation/output.h"
#include "foundation/terminal.h"
#include "process/drain/open_recording.h"
#include "read/analyse/call_graph.h"
#include "read/recording/tracer_form.h"
#include "read/select/selection_options.h"
#include "read/steps/each_thread.h"
#include "show/print/closing_notes.h"
#include "show/print/colours.h"
#include "show/print/duration.h"
#include "verbs.h"

#include <filesystem>

namespace nophook {

namespace {

struct Options {
  bool callers = false;
  uint32_t depth = 0; // most levels below or above FUNCTION that are printed; 0: all
  double min_percent = 0.5;
  bool json = false;
  bool no_pager = false;
  NamesOption names;
  TimeUnitOption unit;
  Selection selection;
};

// Merges the calls of all threads, which are read in parallel, into `calls`. Returns the number of
// words that could not be decoded.
Skipped read_calls(Recording &recording, Functions &functions, StepFilter *filter,
                   CallTree *calls) {
  struct Part {
    CallTree tree;
    std::optional<StepFilter> filter;
  };
  std::vector<std::unique_ptr<Part>> parts;
  while (parts.size() < decoding_workers(recording))
    parts.push_back(std::make_unique<Part>(CallTree(functions),
                                           filter ? std::optional(filter->fork()) : std::nullopt));
  auto wanted = [&](const Thread &thread) { return !filter || filter->wants(thread); };
  auto visit = [&](Thread &thread, unsigned worker) {
    Part &part = *parts[worker];
    Step step;
    while (thread.timeline().next(&step) || thread.timeline().next_open(&step)) {
      const auto verdict =
          part.filter ? part.filter->pass(thread, &step) : StepFilter::verdict_on_all(step);
      if (verdict.selected)
        part.tree.step(thread, step, verdict);
    }
  };
  const Skipped skipped = each_thread(recording, (unsigned)parts.size(), wanted, visit);
  for (const auto &part : parts) {
    calls->merge(part->tree);
    if (filter)
      filter->join(*part->filter);
  }
  return skipped;
}

class Printer {
public:
  Printer(Output &output, const Options &options, const TscClock &clock, const CallGraph &root,
          bool has_times)
      : output_(output), options_(options), clock_(clock), has_times_(has_times),
        all_(has_times ? root.total_ticks : root.hits) {}

  void print(const CallGraph &root) {
    if (!options_.json) {
      if (has_times_)
        output_.add(fmt::format("  {:>6}  {:>12}  {:>12}", "Time %", "Total",
                                options_.callers ? "" : "Self"));
      output_.line("  {:>10}  Function", "Calls");
    }
    for (const CallGraph &node : root.below)
      print(node, 0, "");
    if (hidden_)
      output_.line("# {} below {} % of the {} left out (--min-percent)",
                   hidden_ == 1 ? "1 function" : fmt::format("{} functions", hidden_),
                   options_.min_percent, has_times_ ? "time" : "calls");
  }

private:
  void print(const CallGraph &node, uint32_t depth, const std::string &path) {
    if (output_.closed() || (options_.depth && depth >= options_.depth))
      return;
    double percent =
        all_ ? 100.0 * (double)(has_times_ ? node.total_ticks : node.hits) / (double)all_ : 0;
    if (percent < options_.min_percent && !options_.json) {
      hidden_++;
      return;
    }
    if (options_.json) {
      Json line = {{"function", node.name}, {"depth", depth}, {"calls", node.hits}};
      if (has_times_) {
        line.add("total_ns", clock_.duration(node.total_ticks)).add("percent", percent);
        if (!options_.callers)
          line.add("self_ns", clock_.duration(node.self_ticks));
      }
      output_.line(line.text());
    } else {
      if (has_times_)
        output_.add(fmt::format("  {:>5.1f}%  {:>12}  {:>12}", percent, duration(node.total_ticks),
                                options_.callers ? "" : duration(node.self_ticks)));
      output_.line("  {:>10}  {}{}{}", node.hits, path,
                   depth == 0         ? ""
                   : options_.callers ? "called by "
                                      : "",
                   node.name);
    }
    for (const CallGraph &child : node.below)
      print(child, depth + 1, path + "  ");
  }

  std::string duration(uint64_t ticks) const {
    return short_duration(clock_.duration(ticks), options_.unit.unit());
  }

  Output &output_;
  const Options &options_;
  const TscClock &clock_;
  bool has_times_;
  uint64_t all_;
  uint64_t hidden_ = 0;
};

} // namespace

Result<int> graph_verb(const Arguments &arguments) {
  Options options;
  std::string function, path = "nophook.data";
  VerbOptions verb = {
      "nophook graph",
      "Shows the calls of a recording merged by their callers, with time and number of calls: of "
      "all\nfunctions, or of one and what it calls.",
      {{"FUNCTION", &function, "only this function, a glob, and what it calls"},
       {"PATH", &path, "the recording (nophook.data)"},
       {"--callers", &options.callers, "show who called FUNCTION, not what it calls"},
       {"--min-percent",
        &options.min_percent,
        "leave out what took less than this part of the time (0.5)",
        {.type = "PERCENT", .range = OptionRange(0.0, 100.0)}},
       options.names.row(),
       options.unit.row(),
       {"--no-pager", &options.no_pager, "on a terminal, print without a pager"},
       {"--json", &options.json, "one JSON object a line"}}};
  add_selection_options(&verb, &options.selection);
  std::vector<std::string> given;
  auto go_on = parse(verb, arguments, &given);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  if (options.callers && function.empty())
    return Error{"graph", "--callers", "name the function: nophook graph FUNCTION --callers",
                 kExitUsage};
  NOPHOOK_TRY(options.unit.check("graph", options.json));
  NOPHOOK_TRY(read_times("graph", &options.selection));
  // `nophook graph other.data` is accepted, too: the argument is a file, so it is no function.
  if (std::ranges::count(given, "PATH") == 0 && std::filesystem::is_regular_file(function))
    path = std::exchange(function, "");
  swap_if_reversed(&function, &path);
  auto recording = open_recording(path);
  NOPHOOK_TRY(recording);
  if (is_profile_recording(*recording))
    return error_at(path, "is a profile: its functions are counted without their callers");
  const Terminal terminal = Terminal::of_stdout();
  Functions functions(*recording, options.names.style(terminal.is_terminal && !options.json));
  // Levels count from FUNCTION, or from a caller that only the function tracer knows.
  if (!function.empty() || !is_graph_recording(*recording))
    options.depth = std::exchange(options.selection.depth, 0);
  auto filter = make_filter("graph", options.selection, *recording, functions, true);
  NOPHOOK_TRY(filter);
  CallTree tree(functions);
  const Skipped skipped = read_calls(*recording, functions, *filter ? &**filter : nullptr, &tree);
  auto chosen = [&](uint64_t key) {
    if (auto place = tree.call_place(key)) // the function tracer may know only its calls
      return functions.caller_matches(place->process, place->return_address, function);
    return functions.matches(key, function);
  };
  CallGraph graph = function.empty()  ? graph_of_all(tree)
                    : options.callers ? graph_above(tree, chosen)
                                      : graph_below(tree, chosen);
  if (graph.below.empty()) {
    const auto notes = *filter ? unmatched_notes(functions, **filter) : std::vector<std::string>();
    return error_at(path, !notes.empty()      ? notes.front()
                          : !function.empty() ? no_call_text(functions, function)
                          : *filter           ? "nothing in it matches the options"
                                              : "has no calls");
  }
  {
    Pager pager(terminal, !options.no_pager);
    Output output;
    if (!options.json)
      show_on(output, terminal);
    Printer(output, options, recording->clock(), graph, is_graph_recording(*recording))
        .print(graph);
    NOPHOOK_TRY(output.flush());
  }
  if (const std::string text = tree.shortened_text(); !text.empty())
    fmt::print(stderr, "nophook: {}\n", text);
  NOPHOOK_TRY(print_closing_notes(*recording, functions, skipped));
  if (*filter)
    NOPHOOK_TRY(print_unmatched(path, functions, **filter));
  return kExitOk;
}

} // namespace nophook
