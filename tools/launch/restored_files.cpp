// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/restored_files.h"

namespace nophook {

namespace {

// "#### all functions enabled ####" and its like mean that nothing is set. In a list of choices,
// [this] is the one that is set.
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
  guardian_.keep(path, as_written(*before)); // first: we may be killed behind the next line
  NOPHOOK_TRY(client_.write(path, text + "\n", false));
  before_.push_back({path, as_written(*before)});
  return {};
}

Result<> RestoredFiles::restore() {
  Result<> result = restore(client_);
  before_.clear();
  guardian_.forget();
  return result;
}

Result<> RestoredFiles::restore(ControlClient &client) const {
  Result<> first;
  for (size_t i = before_.size(); i-- > 0;) {
    Result<> result = client.write(before_[i].path, before_[i].text, false);
    if (!result && first)
      first = result;
  }
  return first;
}

} // namespace nophook
