// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges the steps of all threads, and passes each to the format.

#include "show/formats/write_events.h"

#include "foundation/derived_file.h"
#include "process/drain/open_recording.h"
#include "read/recording/tracer_form.h"
#include "read/select/selection_options.h"
#include "show/print/closing_notes.h"

#include <filesystem>

namespace nophook {

Result<Skipped> write_events(EventFormat &format, Recording &recording, StepFilter *filter,
                             const Output *output) {
  Merge merge(recording, [&](const Thread &thread) { return !filter || filter->wants(thread); });
  NOPHOOK_TRY(format.begin());
  const bool is_sum = format.is_sum();
  StepFilter::Verdict verdict;
  auto is_wanted = [&](const Thread &thread, Step *step) {
    verdict = filter ? filter->pass(thread, step) : StepFilter::verdict_on_all(*step);
    return is_sum ? verdict.selected : verdict.line;
  };
  Thread *thread;
  Step step;
  bool is_cut = false;
  while (merge.next(&thread, &step)) {
    if (output && output->closed())
      break;
    // Sums need the ends of calls that are partly in the time.
    is_cut = filter && !is_sum && filter->is_over(step);
    if (is_cut)
      break;
    if (is_wanted(*thread, &step))
      NOPHOOK_TRY(is_sum ? format.sum(*thread, step, verdict) : format.step(*thread, step));
  }
  if (is_cut)
    for (const Thread *cut : merge.threads())
      for (const Step &end : filter->cut_calls(*cut))
        NOPHOOK_TRY(format.still_open(*cut, end));
  while (!is_cut && merge.next_open(&thread, &step))
    if (is_wanted(*thread, &step))
      NOPHOOK_TRY(is_sum ? format.sum(*thread, step, verdict) : format.still_open(*thread, step));
  NOPHOOK_TRY(format.finish());
  return merge.skipped();
}

Result<> export_recording(const std::string &path, const FormatRow &row, const std::string &output,
                          const NamesOption &names, bool uncompressed, const Selection &selection) {
  auto recording = open_recording(path);
  NOPHOOK_TRY(recording);
  if (is_profile_recording(*recording))
    return error_at(path, "is a profile: there are no events to convert");
  Functions functions(*recording, names.said.empty() ? row.names : names.style(false));
  const TraceOptions options;
  const std::string file = output.empty() && row.kind != FormatKind::kLines
                               ? fmt::format("trace.{}", row.extension)
                               : output;
  std::error_code no_file;
  if (!file.empty() && std::filesystem::equivalent(path, file, no_file))
    return error_at(file, "is the recording itself: choose another file with --output");
  const auto tried = row.make({*recording, functions, options, nullptr, file});
  NOPHOOK_TRY(tried->accepts());
  auto chosen = make_filter("export", selection, *recording, functions, tried->is_sum());
  NOPHOOK_TRY(chosen);
  StepFilter *filter = *chosen ? &**chosen : nullptr;
  FileDescriptor created;
  std::optional<Output> lines;
  if (row.kind != FormatKind::kFile && !file.empty()) {
    auto opened = create_derived_file(file, std::array{recording->file().descriptor()});
    NOPHOOK_TRY(opened);
    created = std::move(*opened);
    lines.emplace(created.get());
  } else if (row.kind == FormatKind::kLines) {
    lines.emplace();
  }
  auto format =
      row.make({*recording, functions, options, lines ? &*lines : nullptr, file, uncompressed});
  auto skipped = write_events(*format, *recording, filter, lines ? &*lines : nullptr);
  NOPHOOK_TRY(skipped);
  if (auto flushed = lines ? lines->flush() : Result<>(); !flushed) {
    if (!file.empty())
      flushed.error().file = file;
    return flushed.error();
  }
  NOPHOOK_TRY(print_closing_notes(*recording, functions, *skipped));
  return filter ? print_unmatched(path, functions, *filter) : Result<>();
}

} // namespace nophook
