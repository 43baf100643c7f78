// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the names of each module's seen functions from its file, and packs them into payloads.

#include "process/drain/record_names.h"

#include "process/drain/words.h"
#include "read/recording/packed.h"
#include "read/symbols/module_names.h"

namespace nophook {

std::vector<std::vector<uint8_t>> names_of_functions(const DrainTotals &totals, KeepNames keep) {
  std::vector<std::vector<uint8_t>> payloads;
  uint64_t bytes = 0; // size of all, unpacked: a reader takes no more
  for (const auto &[identity, callers] : totals.modules) {
    WantedNames wanted = {identity.first, identity.second, {}, callers, totals.calls};
    if (auto marks = totals.functions.find(identity.first); marks != totals.functions.end())
      for (const auto &[site, mark] : marks->second)
        wanted.sites.insert(site);
    if (wanted.sites.empty() && wanted.callers.empty())
      continue;
    const auto names =
        keep == KeepNames::kYes ? names_of_module(wanted) : identity_of_module(wanted);
    if (!names)
      continue;
    const std::vector<uint8_t> encoded = names->encode();
    bytes += encoded.size();
    if (auto payload = pack_names(encoded); !payload.empty() && bytes <= kNamesMaxBytes)
      payloads.push_back(std::move(payload));
  }
  return payloads;
}

void record_names(const DrainTotals &totals, KeepNames keep, RecordingWriter &writer) {
  writer.add_names(names_of_functions(totals, keep));
}

} // namespace nophook
