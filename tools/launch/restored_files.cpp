// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/restored_files.h"

namespace nophook {

namespace {

// "#### all functions enabled ####" and its like mean that nothing is set. Of a list of what may be
// chosen [this] is.
std::string as_written(const std::string &text) {
  if (text.starts_with("#") || text.starts_with("no pid"))
    return "\n";
  size_t open = text.find('['), close = text.find(']', open);
  return close == std::string::npos ? text : text.substr(open + 1, close - open - 1) + "\n";
}

} // namespace

Result<> RestoredFiles::write(const std::string &path, const std::string &text) {
  auto before = client_.read(path);
  NOPHOOK_TRY(before);
  NOPHOOK_TRY(client_.write(path, text + "\n", false));
  before_.push_back({path, as_written(*before)});
  return {};
}

Result<> RestoredFiles::restore() {
  Result<> first;
  for (; !before_.empty(); before_.pop_back()) {
    Result<> result = client_.write(before_.back().path, before_.back().text, false);
    if (!result && first)
      first = result;
  }
  return first;
}

} // namespace nophook
