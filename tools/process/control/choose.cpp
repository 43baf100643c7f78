// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the number that is given, or looks for serving processes.

#include "process/control/choose.h"

#include <charconv>
#include <fmt/format.h>

namespace nophook {

Result<int32_t> choose_process(std::optional<int32_t> named) {
  if (named)
    return *named;
  std::vector<int32_t> serving = serving_processes();
  if (serving.empty())
    return error_at("PID", fmt::format("no process serves (start one with {})", words_to_serve()));
  if (serving.size() > 1)
    return error_at(
        "PID", fmt::format("{} processes serve: name one (nophook ps shows them)", serving.size()));
  return serving[0];
}

Result<int32_t> choose_process(std::vector<std::string> *words) {
  std::optional<int32_t> named;
  if (!words->empty()) {
    const std::string &word = words->front();
    int32_t pid;
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), pid);
    if (error == std::errc() && end == word.data() + word.size()) {
      named = pid;
      words->erase(words->begin());
    }
  }
  return choose_process(named);
}

} // namespace nophook
