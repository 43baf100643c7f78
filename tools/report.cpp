// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook report: prints a recording as text or JSON, as events, sums, or differences of sums. It
// reads all intact parts. If parts are missing, a line at the end says so, and the exit status
// is 1.

#include "foundation/options.h"
#include "foundation/terminal.h"
#include "process/drain/open_recording.h"
#include "read/recording/tracer_form.h"
#include "read/select/selection_options.h"
#include "show/formats/write_events.h"
#include "show/print/closing_notes.h"
#include "show/print/colours.h"
#include "show/print/cost_table.h"
#include "show/print/diff_text.h"
#include "show/print/profile_text.h"
#include "show/print/trace_text.h"
#include "verbs.h"

#include <algorithm>

namespace nophook {

namespace {

struct Options {
  std::string path = "nophook.data";
  std::string other; // recording to compare with
  uint64_t top = 0;  // number of functions in the sums; 0: events are shown
  uint64_t head = 0;
  bool json = false;
  NamesOption names;
  bool no_pager = false;
  std::vector<std::string> trace_options, given; // names of --option; all options that were given
  std::string sort;
  bool by_thread = false;
  CostTableOptions table;
  TimeUnitOption unit;
  TraceOptions trace;
  Selection selection;
};

// False: only the help was requested.
Result<bool> read_options(const Arguments &arguments, Options *options) {
  CostTableOptions &table = options->table;
  const OptionRange count(uint64_t{0}, uint64_t{1} << 62); // -1 is no number of lines
  const std::string fields =
      fmt::format("columns of --top and --by, with commas between them: {}", kCostFields);
  VerbOptions verb = {
      "nophook report",
      "Shows a recording: as the kernel's `trace` text, or the functions that took the most time.",
      {{"PATH", &options->path, "the recording (nophook.data)"},
       {"--top",
        &options->top,
        "the N functions (10) with the most time of their own",
        {.type = "N", .without_value = "10", .range = count}},
       {"--by",
        &table.by,
        "the time and calls of each function, thread, module or source file",
        {.type = "WHAT", .allowed = kCostGroups}},
       {"--fields", &table.fields, fields.c_str(), {.type = "LIST", .offered = kCostFields}},
       {"--min-calls",
        &table.min_calls,
        "with --top and --by, only rows with at least N calls",
        {.type = "N", .range = count}},
       {"--diff",
        &options->other,
        "compare with the earlier recording OTHER; the slowest changes come first",
        {.type = "OTHER"}},
       {"--head", &options->head, "stop after N lines", {.type = "N", .range = count}},
       {"--json", &options->json, "one JSON object a line"},
       options->names.row(),
       options->unit.row(),
       {"--no-pager", &options->no_pager, "on a terminal, print without a pager"},
       {"--srcline", &options->trace.srcline, "add file and line of functions"},
       {"-O,--option",
        &options->trace_options,
        "set a trace option of the kernel; noNAME clears it; wall shows times of day",
        {.type = "NAME", .offered = trace_option_list()}},
       {"--sort",
        &options->sort,
        "sort --top and --by by a column (self) or name; a profile by time (default), hit, avg, "
        "s^2, self, function",
        {.type = "COLUMN", .offered = std::string(kCostFields) + " function time hit s^2"}},
       {"--by-thread", &options->by_thread, "print a profile as one table for each thread"}}};
  add_selection_options(&verb, &options->selection);
  auto go_on = parse(verb, arguments, &options->given);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return false;
  for (const std::string &name : options->trace_options) {
    auto set = set_trace_option(name, &options->trace);
    NOPHOOK_TRY(set);
  }
  options->selection.sleep_time = options->trace.sleep_time;
  NOPHOOK_TRY(read_times("report", &options->selection));
  return true;
}

// The contents of a report: events, sums of events, the counts of a profile, sums of them, or
// differences of sums.
enum Shown : unsigned {
  kEvents = 1,
  kEventsJson = 2,
  kTop = 4,
  kProfile = 8,
  kProfileSums = 16,
  kDiff = 32
};

constexpr struct {
  const char *option;
  unsigned applies_to;
  const char *said; // the error if another kind of report is shown
} kWhatApplies[] = {
    {"--by", kTop | kProfileSums, "is not for differences: --diff compares functions"},
    {"--sort", kTop | kProfile | kProfileSums, "is for sums of calls: add --by function"},
    {"--fields", kTop | kProfileSums, "is for sums of calls: add --by function"},
    {"--min-calls", kTop | kProfileSums, "is for sums of calls: add --by function"},
    {"--time-unit", kTop | kProfileSums | kDiff,
     "is for the tables of --top, --by and --diff: the trace and the profile have the kernel's "
     "form"},
    {"--by-thread", kProfile, "is for profiles: use --by thread, or choose a thread by --tid"},
    {"--srcline", kEvents | kEventsJson | kTop, "is for events and for --top of events"},
    {"--option", kEvents | kEventsJson | kTop, "is for the text of events; --top has graph-time"},
};

using Columns = std::vector<std::string_view>;
Columns profile_columns(bool with_times) {
  return with_times ? Columns{"time", "hit", "avg", "s^2", "self", "function"}
                    : Columns{"hit", "function"};
}

// An option that would change nothing is an error.
Result<> check_options(const Options &options, Shown shown, bool with_times) {
  NOPHOOK_TRY(options.unit.check("report", options.json));
  for (const auto &[option, applies_to, said] : kWhatApplies)
    if (!(applies_to & shown) && std::ranges::count(options.given, option))
      return Error{"report", option, said, kExitUsage};
  if (options.trace.srcline && !options.table.by.empty() && options.table.by != "function")
    return Error{"report", "--srcline", "is for functions: use --by file, or --by function",
                 kExitUsage};
  const Columns columns = profile_columns(with_times);
  if (shown == kProfile && !options.sort.empty() && !std::ranges::count(columns, options.sort))
    return Error{"report", "--sort",
                 fmt::format("{} has no column '{}' (there are: {})",
                             with_times ? "a profile" : "a profile of the tracer hits",
                             printable(options.sort), fmt::join(columns, ", ")),
                 kExitUsage};
  for (const std::string &name : options.trace_options)
    if (!name.ends_with("sleep-time") && ((shown == kTop && !name.ends_with("graph-time")) ||
                                          (shown == kEventsJson && !name.ends_with("wall"))))
      return Error{"report", "--option",
                   name + " is for the text of events; --top has graph-time, --json has wall",
                   kExitUsage};
  return {};
}

// A recording, its names, and the selected part.
class Source {
public:
  static Result<std::unique_ptr<Source>> open(const std::string &path, const Options &options,
                                              bool sums, const Terminal &terminal) {
    auto recording = open_recording(path);
    NOPHOOK_TRY(recording);
    if (options.trace.wall && !recording->wall_time().is_known())
      return error_at(path,
                      "has no time of day: it was recorded by another clock, or an older runtime");
    auto source = std::make_unique<Source>(
        std::move(*recording), options.names.style(terminal.is_terminal && !options.json));
    auto filter =
        make_filter("report", options.selection, source->recording, source->functions, sums);
    NOPHOOK_TRY(filter);
    if (*filter)
      source->filter.emplace(std::move(**filter));
    return source;
  }

  Source(Recording opened, NameStyle names)
      : recording(std::move(opened)), functions(recording, names) {}

  std::vector<FunctionCost> costs(const CostQuery &query = {}) {
    if (is_profile_recording(recording))
      return profile_costs(recording, functions, query.by);
    return read_costs(recording, functions, filter ? &*filter : nullptr, &skipped, query);
  }

  // Prints the closing notes. Damage is not printed but returned as an error.
  Result<> notes() {
    auto whole = print_closing_notes(recording, functions, skipped);
    NOPHOOK_TRY(whole);
    return filter ? print_unmatched(recording.path(), functions, *filter) : Result<>();
  }

  Recording recording;
  Functions functions;
  std::optional<StepFilter> filter;
  Skipped skipped;
};

Result<> print_events(Output &output, Source &source, const Options &options) {
  auto row = find_format(options.json ? "json" : "text");
  NOPHOOK_TRY(row);
  auto format = (*row)->make({source.recording, source.functions, options.trace, &output});
  auto skipped =
      write_events(*format, source.recording, source.filter ? &*source.filter : nullptr, &output);
  NOPHOOK_TRY(skipped);
  source.skipped = *skipped;
  return {};
}

Result<> print_costs(Output &output, Source &source, const Options &options) {
  CostTableOptions wanted = options.table;
  wanted.sort = options.sort;
  wanted.rows = options.top;
  wanted.json = options.json;
  wanted.graph_time = options.trace.graph_time;
  wanted.srcline = options.trace.srcline;
  wanted.unit = options.unit.unit();
  auto table = CostTable::of(source.recording, wanted);
  NOPHOOK_TRY(table);
  table->print(output, source.functions, source.recording.clock(), source.costs(table->query()));
  return {};
}

Result<> print_shown(Output &output, Source &source, Source *before, const Options &options,
                     Shown shown) {
  switch (shown) {
  case kEvents:
  case kEventsJson:
    return print_events(output, source, options);
  case kTop:
  case kProfileSums:
    return print_costs(output, source, options);
  case kProfile:
    print_profile(output, source.functions, source.recording,
                  {options.sort.empty()
                       ? std::string(profile_columns(is_graph_recording(source.recording))[0])
                       : options.sort,
                   options.by_thread, options.top, options.json});
    return {};
  case kDiff:
    // `nophook diff` compares the p99, too.
    const bool timed =
        is_graph_recording(before->recording) && is_graph_recording(source.recording);
    auto table = DiffTable::of(before->recording, source.recording,
                               {.fields = timed ? "self,total,hits" : "hits",
                                .rows = options.top,
                                .json = options.json,
                                .unit = options.unit.unit()});
    NOPHOOK_TRY(table);
    auto before_costs = before->costs(), after_costs = source.costs();
    table->print(output, {before->recording, before->functions, before_costs},
                 {source.recording, source.functions, after_costs});
  }
  return {};
}

} // namespace

Result<int> report_verb(const Arguments &arguments) {
  Options options;
  auto go_on = read_options(arguments, &options);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;

  const bool sums = options.top || !options.table.by.empty() || !options.other.empty();
  const Terminal terminal = Terminal::of_stdout();
  auto opened = Source::open(options.path, options, sums, terminal);
  NOPHOOK_TRY(opened);
  Source &source = **opened;
  std::unique_ptr<Source> before;
  if (!options.other.empty()) {
    auto other = Source::open(options.other, options, sums, terminal);
    NOPHOOK_TRY(other);
    before = std::move(*other);
    if (is_profile_recording(before->recording) != is_profile_recording(source.recording))
      return error_at(options.other,
                      "only one of the two is a profile: their counts differ in meaning");
  }
  const bool is_profile = is_profile_recording(source.recording);
  const Shown shown = before                                   ? kDiff
                      : is_profile && options.table.by.empty() ? kProfile
                      : is_profile                             ? kProfileSums
                      : sums                                   ? kTop
                      : options.json                           ? kEventsJson
                                                               : kEvents;
  NOPHOOK_TRY(check_options(options, shown, is_graph_recording(source.recording)));
  {
    Pager pager(terminal, !options.no_pager);
    Output output;
    output.limit(options.head);
    if (!options.json)
      show_on(output, terminal);
    NOPHOOK_TRY(print_shown(output, source, before.get(), options, shown));
    NOPHOOK_TRY(output.flush());
  }
  if (before) {
    auto whole = before->notes();
    NOPHOOK_TRY(whole);
  }
  auto whole = source.notes();
  NOPHOOK_TRY(whole);
  return kExitOk;
}

} // namespace nophook
