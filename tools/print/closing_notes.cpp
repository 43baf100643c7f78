// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/closing_notes.h"

#include <cstdio>
#include <fmt/format.h>

namespace nophook {

Result<> tell_closing_notes(const Recording &recording, const Functions &functions,
                            uint64_t skipped) {
  for (const std::string &note : functions.notes())
    fmt::print(stderr, "nophook: {}\n", note);
  if (skipped)
    fmt::print(stderr, "nophook: {}: {} damaged words of events are skipped\n",
               printable(recording.path()), skipped);
  if (std::string damage = recording.damage(); !damage.empty())
    return error_at(recording.path(), damage);
  return {};
}

std::string no_call_text(Functions &functions, const std::string &typed) {
  const std::string note = functions.absence(typed);
  return fmt::format("no call of '{}' was recorded{}{}", printable(typed), note.empty() ? "" : "; ",
                     printable(note));
}

} // namespace nophook
