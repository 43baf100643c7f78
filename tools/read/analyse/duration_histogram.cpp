// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/analyse/duration_histogram.h"

#include <algorithm>
#include <cmath>

namespace nophook {

void DurationHistogram::merge(const DurationHistogram &other) {
  for (unsigned octave = 0; octave < kOctaves; octave++) {
    if (!other.octaves_[octave])
      continue;
    if (!octaves_[octave])
      octaves_[octave] = std::make_unique<Octave>();
    for (unsigned bucket = 0; bucket < kBuckets; bucket++)
      (*octaves_[octave])[bucket] += (*other.octaves_[octave])[bucket];
  }
  count_ += other.count_;
  sum_ += other.sum_;
  max_ = std::max(max_, other.max_);
}

uint64_t DurationHistogram::quantile(double p) const {
  const double wanted = std::ceil(std::clamp(p, 0.0, 1.0) * (double)count_);
  const uint64_t rank = std::max<uint64_t>((uint64_t)wanted, 1);
  if (rank >= count_)
    return max_;
  uint64_t below = 0, found = max_;
  bool is_found = false;
  for_each_bucket([&](uint64_t from, uint64_t to, uint64_t count) {
    below += count;
    if (is_found || below < rank)
      return;
    is_found = true;
    found = std::min(from + (to - from) / 2, max_);
  });
  return found;
}

} // namespace nophook
