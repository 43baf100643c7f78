// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks for a missing function in the debug info and among similar names.

#include "read/symbols/absent_function.h"

#include "read/symbols/debug_file.h"
#include "read/symbols/debug_functions.h"
#include "read/symbols/name_match.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace nophook {

namespace {

// Debug info above this size is not read: an error would take seconds.
constexpr uint64_t kMostDebugBytes = 256 << 20;
constexpr size_t kMostCallers = 3;

} // namespace

std::string inlined_note(const ElfImage &image, const std::string &typed) {
  const auto debug = find_debug_file(image);
  std::error_code unknown;
  if (std::filesystem::file_size(debug ? debug->path() : image.path(), unknown) > kMostDebugBytes)
    return "";
  const TypedName wanted(typed);
  std::set<std::string> callers;
  for (const DebugFunction &function : find_debug_functions(image, [&](const char *linked) {
         return wanted.means(FunctionNames(linked)) >= Means::kScopes;
       }))
    callers.insert(function.inlined_into.begin(), function.inlined_into.end());
  if (callers.empty())
    return "";
  std::string list;
  for (auto at = callers.begin();
       at != callers.end() && std::distance(callers.begin(), at) < (ptrdiff_t)kMostCallers; ++at)
    list += (list.empty() ? "" : ", ") + *at;
  return fmt::format("its calls are inlined in {}{}", list,
                     callers.size() > kMostCallers ? ", ..." : "");
}

std::string nearest_note(const std::string &nearest) {
  return nearest.empty() ? "" : fmt::format("the nearest: {}", nearest);
}

} // namespace nophook
