// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook report: a recording as text or JSON, as events, sums, or differences of sums. Reads as
// much as there is; what there is not is told at the end, in one line, with exit status 1.

#include "drain/recover.h"
#include "print/closing_notes.h"
#include "print/diff.h"
#include "print/events_json.h"
#include "print/profile_text.h"
#include "print/top.h"
#include "print/trace_text.h"
#include "verbs.h"

#include <algorithm>

namespace nophook {

namespace {

struct Options {
  std::string path = "nophook.data";
  std::string other; // to compare with
  uint64_t top = 0;  // 0: events
  uint64_t head = 0;
  bool json = false;
  std::vector<std::string> trace_options, given; // their names; all options that were given
  ProfileOptions profile;
  TraceOptions trace;
  Selection selection;
};

// `--top 5` and `--top PATH` are both natural; CLI11 would take PATH for the number.
Arguments join_top(const Arguments &arguments) {
  Arguments joined;
  for (const std::string &argument : arguments) {
    bool number = !argument.empty() &&
                  std::ranges::all_of(argument, [](unsigned char c) { return std::isdigit(c); });
    if (number && !joined.empty() && joined.back() == "--top")
      joined.back() += "=" + argument;
    else
      joined.push_back(argument);
  }
  return joined;
}

// False: only help was wanted.
Result<bool> read_options(const Arguments &arguments, Options *options) {
  CLI::App app("Shows a recording: as the kernel's `trace` text, or the functions that took most "
               "time.",
               "nophook report");
  Selection &selection = options->selection;
  std::vector<std::string> &names = options->trace_options;
  std::string time, min_duration;
  app.add_option("PATH", options->path, "the recording (nophook.data)");
  const CLI::Range count(uint64_t{1} << 62); // -1 is no number of lines
  app.add_flag("--top{10}", options->top, "N functions (10) by self time")
      ->type_name("N")
      ->check(count);
  app.add_option("--diff", options->other, "which functions became slower since OTHER")
      ->type_name("OTHER");
  app.add_option("--head", options->head, "stop after N lines")->type_name("N")->check(count);
  app.add_flag("--json", options->json, "one JSON object a line");
  app.add_flag("--srcline", options->trace.srcline, "with file and line of functions");
  auto add_list = [&](const char *name, auto &list, const char *help, const char *type) {
    app.add_option(name, list, help)->type_name(type)->allow_extra_args(false);
  };
  add_list("-O,--option", names, "a trace option of the kernel, or `no` and its name", "NAME");
  add_list("--function", selection.functions, "only calls of these, and what they call", "GLOB");
  add_list("--notrace", selection.notraces, "no calls of these, nor what they call", "GLOB");
  add_list("--tid", selection.tids, "only this thread", "N");
  add_list("--pid", selection.pids, "only this process", "N");
  app.add_option("--time", time, "only FROM,TO: seconds, or + and seconds after the first event")
      ->type_name("FROM,TO");
  app.add_option("--min-duration", min_duration, "only calls that took so long (us, ms, s)")
      ->type_name("TIME");
  app.add_option("--depth", selection.depth, "only calls N deep")->type_name("N");
  app.add_option("--sort", options->profile.sort,
                 "of a profile: time (default), hit, avg, s^2, self, function")
      ->type_name("COLUMN")
      ->check(CLI::IsMember({"time", "hit", "avg", "s^2", "self", "function"}));
  app.add_flag("--by-thread", options->profile.by_thread, "of a profile: a table for each thread");
  auto go_on = parse(app, join_top(arguments));
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return false;
  for (const CLI::Option *option : app.get_options())
    if (option->count())
      options->given.push_back(option->get_name());
  for (const std::string &name : names) {
    auto set = set_trace_option(name, &options->trace);
    NOPHOOK_TRY(set);
  }
  if (!time.empty()) {
    auto window = parse_time_window(time, &selection);
    NOPHOOK_TRY(window);
  }
  if (!min_duration.empty()) {
    auto duration = parse_duration(min_duration);
    NOPHOOK_TRY(duration);
    selection.min_duration_ns = *duration;
  }
  return true;
}

// What is shown: events, sums of events, the counts of a profile, or differences of sums.
enum Shown : unsigned { kEvents = 1, kEventsJson = 2, kTop = 4, kProfile = 8, kDiff = 16 };

constexpr struct {
  const char *option;
  unsigned applies_to;
  const char *said; // of the others
} kWhatApplies[] = {
    {"--sort", kProfile, "is for profiles: --top is sorted by time in the function itself"},
    {"--by-thread", kProfile, "is for profiles: choose a thread's events by --tid"},
    {"--srcline", kEvents | kEventsJson | kTop, "is for events and for --top of events"},
    {"--option", kEvents | kTop, "is for the text of events; --top has graph-time"},
};

// An option that would change nothing is a mistake.
Result<> check_options(const Options &options, Shown shown) {
  for (const auto &[option, applies_to, said] : kWhatApplies)
    if (!(applies_to & shown) && std::ranges::count(options.given, option))
      return Error{"report", option, said, kExitUsage};
  for (const std::string &name : options.trace_options)
    if (shown == kTop && !name.ends_with("graph-time"))
      return Error{"report", "--option", name + " is for the text of events; --top has graph-time",
                   kExitUsage};
  return {};
}

// A recording, the names in it, and what is chosen of it.
class Source {
public:
  static Result<std::unique_ptr<Source>> open(const std::string &path, const Options &options,
                                              bool sums) {
    auto recording = open_recording(path);
    NOPHOOK_TRY(recording);
    if (is_profile_recording(*recording) && options.selection.any())
      return error_at(path, "is a profile: there are no events to choose from");
    if ((options.selection.depth || options.selection.min_duration_ns) &&
        !is_graph_recording(*recording))
      return error_at(path, "calls have no depth and no duration, it is not of function_graph");
    return std::make_unique<Source>(std::move(*recording), options, sums);
  }

  Source(Recording opened, const Options &options, bool sums)
      : recording(std::move(opened)), functions(recording) {
    if (options.selection.any())
      filter.emplace(options.selection, recording, functions, sums);
  }

  std::vector<FunctionCost> costs() {
    if (is_profile_recording(recording))
      return profile_costs(recording, functions);
    return read_costs(recording, functions, filter ? &*filter : nullptr, &skipped);
  }

  // What is to be said at the end, but for damage, which is returned.
  Result<> notes() {
    if (filter)
      for (const std::string &glob : filter->unused_globs())
        fmt::print(stderr, "nophook: no call of '{}' was recorded\n", printable(glob));
    return tell_closing_notes(recording, functions, skipped);
  }

  Recording recording;
  Functions functions;
  std::optional<StepFilter> filter;
  uint64_t skipped = 0;
};

void print_events(Output &output, Source &source, const Options &options) {
  auto wanted = [&](const Thread &thread) {
    return !source.filter || source.filter->wants(thread);
  };
  Merge merge(source.recording, wanted);
  TraceText text(output, source.functions, source.recording, options.trace);
  if (!options.json)
    text.header();
  Thread *thread;
  Step step;
  while (!output.closed() && merge.next(&thread, &step)) {
    if (source.filter && source.filter->is_over(step))
      break;
    if (source.filter && !source.filter->pass(*thread, &step).line)
      continue;
    if (options.json)
      print_event_json(output, source.functions, source.recording, *thread, step,
                       options.trace.srcline);
    else
      text.step(*thread, step);
  }
  if (!options.json)
    text.finish();
  source.skipped = merge.skipped();
}

} // namespace

Result<int> report_verb(const Arguments &arguments) {
  Options options;
  auto go_on = read_options(arguments, &options);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;

  bool sums = options.top || !options.other.empty();
  auto opened = Source::open(options.path, options, sums);
  NOPHOOK_TRY(opened);
  Source &source = **opened;
  std::unique_ptr<Source> before;
  if (!options.other.empty()) {
    auto other = Source::open(options.other, options, sums);
    NOPHOOK_TRY(other);
    before = std::move(*other);
    if (is_profile_recording(before->recording) != is_profile_recording(source.recording))
      return error_at(options.other, "only one of them is a profile: what they count differs");
  }
  bool is_profile = is_profile_recording(source.recording);
  NOPHOOK_TRY(check_options(options, before         ? kDiff
                                     : is_profile   ? kProfile
                                     : sums         ? kTop
                                     : options.json ? kEventsJson
                                                    : kEvents));
  Output output;
  output.limit(options.head);
  if (is_profile && !before) {
    options.profile.rows = options.top;
    options.profile.json = options.json;
    print_profile(output, source.functions, source.recording, options.profile);
  } else if (before) {
    auto before_costs = before->costs(), after_costs = source.costs();
    print_diff(output, {before->recording, before->functions, before_costs},
               {source.recording, source.functions, after_costs}, options.top, options.json);
  } else if (sums) {
    auto costs = source.costs();
    print_top(output, source.functions, source.recording, costs, options.top, options.json,
              options.trace);
  } else {
    print_events(output, source, options);
  }
  NOPHOOK_TRY(output.flush());
  if (before) {
    auto whole = before->notes();
    NOPHOOK_TRY(whole);
  }
  auto whole = source.notes();
  NOPHOOK_TRY(whole);
  return kExitOk;
}

} // namespace nophook
