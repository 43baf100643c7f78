// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook report: a recording as text or JSON. Reads as much as there is; what there is not
// is told at the end, in one line, with exit status 1.

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
  uint64_t top = 0; // 0: events
  uint64_t head = 0;
  bool json = false;
  ProfileOptions profile;
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

void print_events(Output &output, Functions &functions, Recording &recording,
                  const Options &options, uint64_t *skipped) {
  Merge merge(recording);
  TraceText text(output, functions, recording);
  if (!options.json)
    text.header();
  Thread *thread;
  Step step;
  while (!output.closed() && merge.next(&thread, &step))
    if (options.json)
      print_event_json(output, functions, recording, *thread, step);
    else
      text.step(*thread, step);
  *skipped = merge.skipped();
}

} // namespace

Result<int> report_verb(const Arguments &arguments) {
  CLI::App app("Shows a recording: as the kernel's `trace` text, or the functions that took most "
               "time.",
               "nophook report");
  Options options;
  app.add_option("PATH", options.path, "the recording (nophook.data)");
  app.add_flag("--top{10}", options.top, "N functions (10) by self time")->type_name("N");
  app.add_option("--head", options.head, "stop after N lines")->type_name("N");
  app.add_flag("--json", options.json, "one JSON object a line");
  app.add_option("--sort", options.profile.sort,
                 "of a profile: time (default), hit, avg, s^2, self, function")
      ->type_name("COLUMN")
      ->check(CLI::IsMember({"time", "hit", "avg", "s^2", "self", "function"}));
  app.add_flag("--by-thread", options.profile.by_thread, "of a profile: a table for each thread");
  auto go_on = parse(app, join_top(arguments));
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;

  auto recording = Recording::open(options.path);
  NOPHOOK_TRY(recording);
  Functions functions(*recording);
  Output output;
  output.limit(options.head);
  uint64_t skipped = 0;
  if (is_profile_recording(*recording)) {
    options.profile.rows = options.top;
    options.profile.json = options.json;
    print_profile(output, functions, *recording, options.profile);
  } else if (options.top) {
    auto costs = read_costs(*recording, functions, &skipped);
    print_top(output, functions, *recording, costs, options.top, options.json);
  } else {
    print_events(output, functions, *recording, options, &skipped);
  }
  NOPHOOK_TRY(output.flush());
  for (const std::string &note : functions.notes())
    fmt::print(stderr, "nophook: {}\n", note);
  if (skipped)
    fmt::print(stderr, "nophook: {}: {} words of events make no sense and are left out\n",
               printable(options.path), skipped);
  if (std::string damage = recording->damage(); !damage.empty())
    return error_at(options.path, damage);
  return kExitOk;
}

} // namespace nophook
