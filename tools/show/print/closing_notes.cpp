// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints notes behind the output of a verb.

#include "show/print/closing_notes.h"

#include "foundation/counted.h"
#include "read/select/where.h"

#include <cstdio>
#include <fmt/format.h>

namespace nophook {

Result<> print_closing_notes(const Recording &recording, const Functions &functions,
                             const Skipped &skipped) {
  for (const std::string &note : functions.notes())
    fmt::print(stderr, "nophook: {}\n", note);
  if (skipped.newer)
    fmt::print(
        stderr,
        "nophook: {}: {} of kinds that a later version writes are skipped: read it with that "
        "version\n",
        printable(recording.path()), counted(skipped.newer, "event"));
  if (skipped.damaged)
    fmt::print(stderr, "nophook: {}: {} damaged words of events are skipped\n",
               printable(recording.path()), skipped.damaged);
  if (std::string damage = recording.damage(); !damage.empty())
    return error_at(recording.path(), damage);
  return {};
}

std::vector<std::string> unmatched_notes(Functions &functions, const StepFilter &filter) {
  std::vector<std::string> notes;
  for (const std::string &glob : filter.unused_globs())
    notes.push_back(no_call_text(functions, glob));
  for (const std::string &place : filter.unused_places())
    notes.push_back(fmt::format("no call of a function in '{}' was recorded", printable(place)));
  for (std::string &note : condition_notes(filter))
    notes.push_back(std::move(note));
  const Selection &selection = filter.selection();
  if (!filter.any() && selection.min_duration_ns && notes.empty())
    notes.push_back(fmt::format("no selected call took {}", selection.min_duration));
  if (filter.lacks_off_cpu())
    notes.push_back("no call was off the CPU, as far as it was recorded (record --off-cpu)");
  return notes;
}

Result<> print_unmatched(const std::string &path, Functions &functions, const StepFilter &filter) {
  const std::vector<std::string> notes = unmatched_notes(functions, filter);
  if (filter.any()) {
    for (const std::string &note : notes)
      fmt::print(stderr, "nophook: {}\n", note);
    return {};
  }
  // The first note is the error that is returned.
  for (size_t i = 1; i < notes.size(); i++)
    fmt::print(stderr, "nophook: {}\n", notes[i]);
  return error_at(path, notes.empty() ? "nothing in it matches the options" : notes.front());
}

std::string no_call_text(Functions &functions, const std::string &typed) {
  const std::string note = functions.absence(typed);
  return fmt::format("no call of '{}' was recorded{}{}", printable(typed),
                     !note.empty()            ? "; "
                     : functions.knows(typed) ? ""
                                              : "; the recording has no function of that name",
                     printable(note));
}

} // namespace nophook
