// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads each file before it is written, and passes its text to the guardian.

#include "process/launch/restored_files.h"

#include "process/recorder/waiting_line.h"

#include <fmt/format.h>

namespace nophook {

namespace {

constexpr auto kPatience = std::chrono::seconds(3); // once we want to end

// The text in the form in which it can be written back: "#### all functions enabled ####" and its
// like mean that nothing is set, and in a list of choices, [this] is the one that is set.
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
  guardian_.keep(path, as_written(*before)); // before the write: we may be killed after it
  const WaitingLine line(fmt::format("process {} to apply {}", pid_, path));
  NOPHOOK_TRY(client_.write(path, text + "\n", false));
  before_.push_back({path, as_written(*before)});
  return {};
}

void RestoredFiles::keep() {
  before_.clear();
  guardian_.forget();
}

void RestoredFiles::are_gone() {
  are_gone_ = true;
  guardian_.end();
  lock_.release();
}

Result<> RestoredFiles::restore() {
  if (are_gone_)
    return {};
  client_.hurry_at(-1);
  client_.wait_at_most(kPatience);
  Result<> result;
  if (!client_.is_silent() || !guardian_.is_there())
    result = restore(client_);
  before_.clear();
  if (client_.is_silent() && guardian_.takes_over())
    return error_at(
        fmt::format("process {}", pid_),
        "does not answer (is it stopped?): it has its settings back as soon as it does");
  guardian_.forget();
  return result;
}

Result<> RestoredFiles::restore(ControlClient &client) const {
  Result<> first;
  for (size_t i = before_.size(); i-- > 0;) {
    Result<> result = client.write(before_[i].path, before_[i].text, false);
    if (!result && first)
      first = result;
    if (client.is_silent())
      break;
  }
  return first;
}

} // namespace nophook
