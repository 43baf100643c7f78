// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "show/formats/write_events.h"

#include "foundation/derived_file.h"
#include "process/drain/open_recording.h"
#include "read/select/where.h"
#include "show/print/closing_notes.h"
#include "show/print/profile_text.h"

#include <filesystem>

namespace nophook {

Result<Skipped> write_events(EventFormat &format, Recording &recording, StepFilter *filter,
                             const Output *output) {
  Merge merge(recording, [&](const Thread &thread) { return !filter || filter->wants(thread); });
  NOPHOOK_TRY(format.begin());
  auto is_closed = [&] { return output && output->closed(); };
  Thread *thread;
  Step step;
  bool is_whole = false;
  while (!is_closed()) {
    if (!merge.next(&thread, &step)) {
      is_whole = true;
      break;
    }
    if (filter && filter->is_over(step))
      break;
    if (!filter || filter->pass(*thread, &step).line)
      NOPHOOK_TRY(format.step(*thread, step));
  }
  while (is_whole && merge.next_open(&thread, &step))
    if (!filter || filter->pass(*thread, &step).line)
      NOPHOOK_TRY(format.still_open(*thread, step));
  NOPHOOK_TRY(format.finish());
  return merge.skipped();
}

Result<> export_recording(const std::string &path, const FormatRow &row, const std::string &output,
                          const NamesOption &names, bool uncompressed,
                          const std::vector<std::string> &where) {
  auto recording = open_recording(path);
  NOPHOOK_TRY(recording);
  if (is_profile_recording(*recording))
    return error_at(path, "is a profile: there are no events to convert");
  Functions functions(*recording, names.said.empty() ? row.names : names.style(false));
  Selection selection;
  selection.where = where;
  NOPHOOK_TRY(read_conditions("export", *recording, functions, &selection));
  std::optional<StepFilter> filter;
  if (selection.any())
    filter.emplace(selection, *recording, functions, false);
  const TraceOptions options;
  const std::string file = output.empty() && row.kind != FormatKind::kLines
                               ? fmt::format("trace.{}", row.extension)
                               : output;
  std::error_code no_file;
  if (!file.empty() && std::filesystem::equivalent(path, file, no_file))
    return error_at(file, "is the recording itself: choose another file with --output");
  NOPHOOK_TRY(row.make({*recording, functions, options, nullptr, file})->accepts());
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
  auto skipped =
      write_events(*format, *recording, filter ? &*filter : nullptr, lines ? &*lines : nullptr);
  NOPHOOK_TRY(skipped);
  if (auto flushed = lines ? lines->flush() : Result<>(); !flushed) {
    if (!file.empty())
      flushed.error().file = file;
    return flushed.error();
  }
  NOPHOOK_TRY(print_closing_notes(*recording, functions, *skipped));
  return filter ? print_unmatched(path, functions, selection, *filter) : Result<>();
}

} // namespace nophook
