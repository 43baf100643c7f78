// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fields of a difference, and its rows as text or JSON.

#include "show/print/diff_text.h"

#include "foundation/json.h"
#include "read/recording/tracer_form.h"

#include <algorithm>

namespace nophook {

const char *const kDiffFields = "self total p99 hits";

namespace {

using Field = FunctionChange::Field;

constexpr struct {
  const char *name, *title, *json;
} kFields[] = {{"self", "Self", "self_ns"},
               {"total", "Total", "total_ns"},
               {"p99", "p99", "p99_ns"},
               {"hits", "Hits", "hits"}}; // rows by Field

std::string signed_duration(int64_t ns, TimeUnit unit) {
  return (ns < 0 ? "-" : "+") + short_duration((uint64_t)std::abs(ns), unit);
}

// The reason why a recording lacks a field; null: it has it.
const char *missing(Field field, const Recording &recording) {
  if (field == FunctionChange::kHits)
    return nullptr;
  if (has_counts_only(recording))
    return "has no durations: it is of the tracer hits, which counts only";
  if (is_profile_recording(recording))
    return field == FunctionChange::kP99 ? "is a profile: it has sums only" : nullptr;
  return is_graph_recording(recording) ? nullptr : "has no durations: it is not of function_graph";
}

Result<Field> field_named(std::string_view name) {
  for (size_t i = 0; i < std::size(kFields); i++)
    if (name == kFields[i].name)
      return (Field)i;
  return Error{"diff", "--fields",
               fmt::format("there is no field '{}' (there are: {})", printable(name), kDiffFields),
               kExitUsage};
}

void print_cells(Output &output, const FunctionChange &row, Field field, TimeUnit unit) {
  const int64_t before = row.before.*FunctionChange::of(field),
                after = row.after.*FunctionChange::of(field);
  if (field == FunctionChange::kHits)
    return output.add(fmt::format("  {:>10} {:>10} {:>+11}", before, after, after - before));
  output.add(fmt::format("  {:>11} {:>11} {:>12}", short_duration((uint64_t)before, unit),
                         short_duration((uint64_t)after, unit),
                         signed_duration(after - before, unit)));
}

} // namespace

Result<DiffTable> DiffTable::of(const Recording &before, const Recording &after,
                                const DiffTableOptions &options) {
  DiffTable table;
  table.options_ = options;
  auto check = [&](const char *option, Field field) -> Result<> {
    for (const Recording *side : {&before, &after})
      if (const char *why = missing(field, *side))
        return Error{"diff", option,
                     fmt::format("{}: {} {}", kFields[field].name, printable(side->path()), why),
                     kExitUsage};
    return {};
  };
  if (options.fields.empty())
    for (Field field : {FunctionChange::kSelf, FunctionChange::kTotal, FunctionChange::kP99,
                        FunctionChange::kHits})
      if (!missing(field, before) && !missing(field, after))
        table.fields_.push_back(field);
  for (size_t at = 0; !options.fields.empty() && at <= options.fields.size();) {
    const size_t end = std::min(options.fields.find(',', at), options.fields.size());
    auto field = field_named(std::string_view(options.fields).substr(at, end - at));
    NOPHOOK_TRY(field);
    NOPHOOK_TRY(check("--fields", *field));
    table.fields_.push_back(*field);
    at = end + 1;
  }
  if (options.sort.empty()) {
    bool timed = !missing(FunctionChange::kSelf, before) && !missing(FunctionChange::kSelf, after);
    table.sorted_by_ = timed ? FunctionChange::kSelf : FunctionChange::kHits;
  } else {
    auto field = field_named(options.sort);
    NOPHOOK_TRY(field);
    NOPHOOK_TRY(check("--sort", *field));
    table.sorted_by_ = *field;
  }
  return table;
}

bool DiffTable::needs_durations() const {
  return sorted_by_ == FunctionChange::kP99 || std::ranges::count(fields_, FunctionChange::kP99);
}

void DiffTable::print(Output &output, const DiffSide &before, const DiffSide &after) const {
  const std::vector<FunctionChange> sorted = compare_costs(before, after, sorted_by_);
  if (!options_.json) {
    const Output::Header uncounted(output);
    output.line("# before: {}", printable(before.recording.path()));
    output.line("# after:  {}", printable(after.recording.path()));
    for (Field field : fields_) {
      const int width = field == FunctionChange::kHits ? 10 : 11;
      output.add(fmt::format("  {:>{}} {:>{}} {:>{}}", kFields[field].title, width, "after", width,
                             "difference", field == FunctionChange::kHits ? 11 : 12));
    }
    output.line("  Function");
  }
  for (size_t i = 0; i < sorted.size() && (!options_.rows || i < options_.rows); i++) {
    if (output.closed())
      return;
    const FunctionChange &row = sorted[i];
    if (options_.json) {
      Json line = {{"function", row.name}};
      // Fields in the order of `report --diff`.
      for (Field field : {FunctionChange::kHits, FunctionChange::kSelf, FunctionChange::kTotal,
                          FunctionChange::kP99})
        if (std::ranges::count(fields_, field))
          line.add(kFields[field].json, Json{{"before", row.before.*FunctionChange::of(field)},
                                             {"after", row.after.*FunctionChange::of(field)},
                                             {"difference", row.growth(field)}});
      output.line(line.text());
      continue;
    }
    for (Field field : fields_)
      print_cells(output, row, field, options_.unit);
    output.line("  {}", row.name);
  }
}

} // namespace nophook
