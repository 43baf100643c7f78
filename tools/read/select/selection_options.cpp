// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/select/selection_options.h"

#include "read/recording/tracer_form.h"
#include "read/select/where.h"

namespace nophook {

namespace {

std::vector<VerbOption> rows(Selection *selection) {
  return {{"-F,--function",
           &selection->functions,
           "only calls of functions that match, and the calls inside them",
           {.type = "GLOB"}},
          {"-N,--notrace",
           &selection->notraces,
           "no calls of functions that match, nor the calls inside them",
           {.type = "GLOB"}},
          {"-H,--hide",
           &selection->hides,
           "no calls of functions that match; the calls inside them move to their callers",
           {.type = "GLOB"}},
          {"--only",
           &selection->places,
           "hide all functions but those of this module or source file",
           {.type = "MODULE|FILE"}},
          {"--where",
           &selection->where,
           "only calls of a function whose argument or result compares, and the calls inside them: "
           "'parse.len > 4096', 'parse.return < 0'",
           {.type = "CONDITION"}},
          {"--tid", &selection->tids, "only these threads, with commas between", {.type = "N"}},
          {"--pid", &selection->pids, "only these processes, with commas between", {.type = "N"}},
          {"--time",
           &selection->time,
           "only events between two times: seconds as in a trace, + and a time after the first "
           "event (+10ms), or times of day; either may be left out",
           {.type = "FROM,TO"}},
          {"-t,--min-duration",
           &selection->min_duration,
           "only calls that took at least TIME (10us, 2.5ms, 1s)",
           {.type = "TIME"}},
          {"-D,--depth", &selection->depth, "only N levels of calls", {.type = "N"}},
          {"--off-cpu", &selection->off_cpu,
           "durations are the time off the CPU alone (record --off-cpu)"}};
}

std::string_view long_name(const VerbOption &row) {
  const std::string_view names = row.names;
  return names.substr(names.find("--"));
}

} // namespace

void add_selection_options(VerbOptions *verb, Selection *selection, std::string_view without) {
  for (VerbOption &row : rows(selection))
    if (without.find(long_name(row)) == std::string_view::npos)
      verb->options.push_back(std::move(row));
}

std::vector<std::string> selection_words(const Selection &selection) {
  Selection copy = selection;
  std::vector<std::string> words;
  for (const VerbOption &row : rows(&copy)) {
    auto add = [&](const auto &value) {
      words.push_back(fmt::format("{}={}", long_name(row), value));
    };
    if (auto *texts = std::get_if<std::vector<std::string> *>(&row.target))
      std::ranges::for_each(**texts, add);
    else if (auto *numbers = std::get_if<std::vector<int32_t> *>(&row.target))
      std::ranges::for_each(**numbers, add);
    else if (auto *text = std::get_if<std::string *>(&row.target); text && !(*text)->empty())
      add(**text);
    else if (auto *number = std::get_if<uint32_t *>(&row.target); number && **number)
      add(**number);
    else if (auto *is_given = std::get_if<bool *>(&row.target); is_given && **is_given)
      words.emplace_back(long_name(row));
  }
  return words;
}

Result<std::optional<StepFilter>> make_filter(const std::string &verb, Selection selection,
                                              Recording &recording, Functions &functions,
                                              bool sums) {
  if (!selection.any())
    return std::optional<StepFilter>();
  const std::string &path = recording.path();
  if (is_profile_recording(recording))
    return error_at(path, "is a profile: there are no events to choose from");
  if ((selection.depth || selection.min_duration_ns) && !is_graph_recording(recording))
    return error_at(path,
                    "calls have no depth and no duration: the recording is not of function_graph");
  NOPHOOK_TRY(place_times_of_day(verb, path, recording.wall_time(), &selection));
  NOPHOOK_TRY(read_conditions(verb, recording, functions, &selection));
  return std::optional<StepFilter>(std::in_place, std::move(selection), recording, functions, sums);
}

} // namespace nophook
