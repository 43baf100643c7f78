// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the profile's file again and again, and subtracts.

#include "show/top/sampler.h"

#include "process/drain/profile_file.h"
#include "show/live/description.h"

#include <algorithm>

namespace nophook {

Result<ProfileSampler> ProfileSampler::open(const std::string &path, NameStyle names) {
  auto buffer = SharedBuffer::open_copy(path);
  NOPHOOK_TRY(buffer);
  ProfileSampler sampler(std::move(*buffer), names);
  auto first = sampler.look();
  NOPHOOK_TRY(first);
  return sampler;
}

// Reads the names again if there are more functions than the last time.
Result<> ProfileSampler::read_names() {
  uint64_t list_bytes = function_list_bytes(buffer_);
  if (names_ && names_->list_bytes == list_bytes)
    return {};
  auto recording = describe_process(buffer_);
  NOPHOOK_TRY(recording);
  names_ = std::make_unique<Names>(std::move(*recording), style_, list_bytes);
  return {};
}

Result<std::vector<FunctionRate>> ProfileSampler::look() {
  NOPHOOK_TRY(read_names());
  std::unordered_map<uint64_t, Sums> now;
  read_profile(buffer_.path(), [&](const ProfileHeader &, std::span<const ProfileRow> rows) {
    for (const ProfileRow &row : rows) {
      Sums &sums = now[row.id];
      sums.calls += row.counts.hits;
      sums.self += row.counts.self;
      sums.total += row.counts.total;
    }
  });
  Clock::time_point time = Clock::now();
  double seconds = std::chrono::duration<double>(time - std::exchange(last_, time)).count();
  const TscClock &clock = names_->recording.clock();
  std::vector<FunctionRate> rates;
  for (const auto &[id, sums] : now) {
    Sums before = before_[id];
    if (sums.self < before.self) // the profiler was started again
      before = {};
    // The profiler takes calls back that tracing_thresh finds too short.
    before.calls = std::min(before.calls, sums.calls);
    if (sums.calls == before.calls && sums.self <= before.self)
      continue;
    FunctionRate rate;
    rate.function = names_->functions.name(0, (uint32_t)id);
    rate.calls = sums.calls - before.calls;
    rate.all_calls = sums.calls;
    rate.self_ns = clock.duration(sums.self - std::min(before.self, sums.self));
    rate.self = (double)rate.self_ns / 1e9 / seconds;
    if (rate.calls)
      rate.average_ns =
          clock.duration(sums.total - std::min(before.total, sums.total)) / rate.calls;
    rates.push_back(std::move(rate));
  }
  before_ = std::move(now);
  std::ranges::sort(rates, [](const FunctionRate &a, const FunctionRate &b) {
    return std::tie(b.self_ns, b.calls, a.function) < std::tie(a.self_ns, a.calls, b.function);
  });
  return rates;
}

} // namespace nophook
