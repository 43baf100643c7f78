// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "process/launch/executed_children.h"

#include "foundation/file.h"
#include "process/launch/process_status.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace nophook {
namespace {

using namespace std::chrono_literals;

constexpr auto kLookEvery = 100ms;
constexpr int kLookShare = 100; // of a CPU's time one in so many

} // namespace

ExecutedChildren::Known ExecutedChildren::known_now(int32_t pid, bool is_followed) {
  const ProcessStatus status = ProcessStatus::of(pid);
  return {.begun = status.begun, .environment = status.environment, .is_followed = is_followed};
}

ExecutedChildren::ExecutedChildren(int32_t pid, std::string folder, bool with_living)
    : folder_(std::move(folder)) {
  known_[pid] = known_now(pid, true);
  std::vector<int32_t> living = children_of(pid);
  for (size_t i = 0; i < living.size(); i++) {
    known_[living[i]] = known_now(living[i], with_living);
    if (with_living)
      std::ranges::copy(children_of(living[i]), std::back_inserter(living));
  }
}

// By its environment, from which it serves, be it at the next moment; or by the mapping of its
// buffer, which execve() takes away.
bool ExecutedChildren::is_recorded(int32_t pid) const {
  const std::string words = '\0' + read_small_file(fmt::format("/proc/{}/environ", pid));
  const std::string_view name("\0NOPHOOK=", 9);
  if (const size_t at = words.find(name); at != std::string::npos)
    if (std::string_view(words.c_str() + at + name.size()).find("serve") != std::string_view::npos)
      return true;
  return read_small_file(fmt::format("/proc/{}/maps", pid)).find(folder_ + '/') !=
         std::string::npos;
}

bool ExecutedChildren::look_at(int32_t pid, Known *known, std::vector<int32_t> *executed) const {
  const ProcessStatus status = ProcessStatus::of(pid);
  if (!status.is_alive() || status.begun != known->begun)
    return false; // or another one has its number
  if (known->is_new && !is_recorded(pid))
    executed->push_back(pid);
  // 0: in the middle of execve(), which the next look shows.
  known->is_new = status.environment && status.environment != known->environment;
  if (known->is_new)
    known->environment = status.environment;
  return true;
}

void ExecutedChildren::look_for_children(int32_t pid, const Known &parent,
                                         std::vector<int32_t> *family) {
  for (int32_t child : children_of(pid)) {
    const uint64_t begun = ProcessStatus::of(child).begun; // 0: it is gone
    if (const auto at = known_.find(child);
        !begun || (at != known_.end() && at->second.begun == begun))
      continue;
    Known &known = known_[child];
    known = {.begun = begun, .environment = parent.environment, .is_followed = true};
    family->push_back(child);
  }
}

std::vector<int32_t> ExecutedChildren::look_if_due() {
  const auto begin = Clock::now();
  std::vector<int32_t> executed, family;
  if (begin < due_)
    return executed;
  for (const auto &[pid, known] : known_)
    if (known.is_followed)
      family.push_back(pid);
  for (size_t i = 0; i < family.size(); i++) {
    const Known before = known_[family[i]]; // its children have begun as that
    if (look_at(family[i], &known_[family[i]], &executed))
      look_for_children(family[i], before, &family);
    else
      known_.erase(family[i]);
  }
  const auto end = Clock::now();
  due_ = end + std::max<Clock::duration>(kLookEvery, (end - begin) * kLookShare);
  return executed;
}

} // namespace nophook
