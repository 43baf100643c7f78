// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook diff: two recordings of a program, before and after a change: which functions became
// slower, by their sums and by the p99 of their calls.

#include "foundation/options.h"
#include "foundation/terminal.h"
#include "process/drain/open_recording.h"
#include "read/recording/tracer_form.h"
#include "read/select/selection_options.h"
#include "show/print/closing_notes.h"
#include "show/print/colours.h"
#include "show/print/diff_text.h"
#include "verbs.h"

#include <algorithm>

namespace nophook {

namespace {

struct Options {
  std::string before, after;
  DiffTableOptions table;
  NamesOption names;
  TimeUnitOption unit;
  Selection selection;
  bool no_pager = false;
};

struct Side {
  Side(std::string file, Recording opened, NameStyle style)
      : path(std::move(file)), recording(std::move(opened)), functions(recording, style) {}

  void read(bool durations) {
    costs = is_profile_recording(recording)
                ? profile_costs(recording, functions)
                : read_costs(recording, functions, filter ? &*filter : nullptr, &skipped,
                             {.durations = durations});
  }

  std::string path;
  Recording recording;
  Functions functions;
  std::optional<StepFilter> filter;
  std::vector<FunctionCost> costs;
  Skipped skipped;
};

Result<std::unique_ptr<Side>> open_side(const std::string &path, NameStyle style,
                                        const Selection &selection) {
  auto recording = open_recording(path);
  NOPHOOK_TRY(recording);
  auto side = std::make_unique<Side>(path, std::move(*recording), style);
  auto filter = make_filter("diff", selection, side->recording, side->functions, true);
  NOPHOOK_TRY(filter);
  if (*filter)
    side->filter.emplace(std::move(**filter));
  return side;
}

} // namespace

Result<int> diff_verb(const Arguments &arguments) {
  Options options;
  const std::string fields =
      fmt::format("what is compared, with commas between: {} (all that both have)", kDiffFields);
  VerbOptions verb = {
      "nophook diff",
      "Compares two recordings of a program, before and after a change: calls and times of each "
      "function.",
      {{"BEFORE", &options.before, "the earlier recording", {.required = true}},
       {"AFTER", &options.after, "the later one", {.required = true}},
       {"--fields",
        &options.table.fields,
        fields.c_str(),
        {.type = "LIST", .offered = kDiffFields}},
       {"--sort",
        &options.table.sort,
        "sort by the difference of a field (self)",
        {.type = "FIELD", .allowed = kDiffFields}},
       {"--top",
        &options.table.rows,
        "the N functions (10) with the largest growth",
        {.type = "N", .without_value = "10", .range = OptionRange(uint64_t{0}, uint64_t{1} << 62)}},
       options.names.row(),
       options.unit.row(),
       {"--no-pager", &options.no_pager, "on a terminal, print without a pager"},
       {"--json", &options.table.json, "one JSON object a line"}}};
  add_selection_options(&verb, &options.selection);
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  NOPHOOK_TRY(read_times("diff", &options.selection));
  NOPHOOK_TRY(options.unit.check("diff", options.table.json));
  options.table.unit = options.unit.unit();
  const Terminal terminal = Terminal::of_stdout();
  const NameStyle style = options.names.style(terminal.is_terminal && !options.table.json);
  auto before = open_side(options.before, style, options.selection);
  NOPHOOK_TRY(before);
  auto after = open_side(options.after, style, options.selection);
  NOPHOOK_TRY(after);
  const Recording &first = (*before)->recording, &second = (*after)->recording;
  if (is_profile_recording(first) != is_profile_recording(second))
    return error_at(is_profile_recording(first) ? options.after : options.before,
                    "the other recording is a profile: its counts differ in meaning");
  auto table = DiffTable::of(first, second, options.table);
  NOPHOOK_TRY(table);
  for (Side *side : {before->get(), after->get()})
    side->read(table->needs_durations());
  {
    Pager pager(terminal, !options.no_pager);
    Output output;
    if (!options.table.json)
      show_on(output, terminal);
    table->print(output, {first, (*before)->functions, (*before)->costs},
                 {second, (*after)->functions, (*after)->costs});
    NOPHOOK_TRY(output.flush());
  }
  for (Side *side : {before->get(), after->get()})
    NOPHOOK_TRY(print_closing_notes(side->recording, side->functions, side->skipped));
  // A function that only one of the two recordings has is an answer.
  std::vector<Error> empty;
  for (Side *side : {before->get(), after->get()})
    if (side->filter)
      if (auto chosen = print_unmatched(side->path, side->functions, *side->filter); !chosen)
        empty.push_back(chosen.error());
  // If neither has, the first one's is the error.
  for (size_t i = empty.size() == 2; i < empty.size(); i++)
    fmt::print(stderr, "nophook: {}\n", printable(empty[i].text()));
  if (empty.size() == 2)
    return empty.front();
  return kExitOk;
}

} // namespace nophook
