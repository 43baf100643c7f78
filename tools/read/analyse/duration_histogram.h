// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Percentiles of durations in one pass and bounded memory.
//
// The exact p99 needs every duration, and a recording has a billion of them. This is a log-linear
// histogram, the buckets of HdrHistogram: each octave (from a power of two to the next) has 64
// buckets of one width. A value is known to within 1/128, which is 0.79 %; below 128 ns it is
// exact, and so is the maximum. Buckets come by whole octaves when they are first needed: 512
// bytes for each octave with a value in it, 30 KiB at most for all values of 64 bits.
//
// Histograms can be merged, because all have the same buckets: those of threads add up.

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace nophook {

class DurationHistogram {
public:
  void add(uint64_t ns) {
    const unsigned octave = octave_of(ns);
    if (!octaves_[octave])
      octaves_[octave] = std::make_unique<Octave>();
    (*octaves_[octave])[bucket_of(ns, octave)]++;
    count_++;
    sum_ += ns;
    max_ = ns > max_ ? ns : max_;
  }

  void merge(const DurationHistogram &other);

  uint64_t count() const { return count_; }
  uint64_t max() const { return max_; } // exact; 0 without values
  uint64_t average() const { return count_ ? sum_ / count_ : 0; }

  // The smallest duration that at least the part `p` of all (0.5: the median) does not exceed: the
  // middle of its bucket, to within 0.79 %. 1 is the exact maximum; without values it is 0.
  uint64_t quantile(double p) const;

  // Calls visit(from, to, count) for each bucket that is not empty, by rising durations: its
  // durations are from `from` to `to` inclusive.
  template <class Visit> void for_each_bucket(Visit visit) const {
    for (unsigned octave = 0; octave < kOctaves; octave++)
      for (unsigned bucket = 0; octaves_[octave] && bucket < kBuckets; bucket++)
        if (uint64_t count = (*octaves_[octave])[bucket])
          visit(first_of(octave, bucket), first_of(octave, bucket) + (width_of(octave) - 1), count);
  }

private:
  static constexpr unsigned kBucketBits = 6, kBuckets = 1 << kBucketBits; // each octave's
  static constexpr unsigned kOctaves = 64 - kBucketBits + 1; // the first has all below kBuckets
  using Octave = std::array<uint64_t, kBuckets>;

  static unsigned octave_of(uint64_t ns) {
    return ns < kBuckets ? 0 : (unsigned)std::bit_width(ns) - kBucketBits;
  }
  static uint64_t width_of(unsigned octave) { return octave ? uint64_t{1} << (octave - 1) : 1; }
  static unsigned bucket_of(uint64_t ns, unsigned octave) {
    return (unsigned)(ns / width_of(octave)) % kBuckets;
  }
  static uint64_t first_of(unsigned octave, unsigned bucket) {
    return (octave ? kBuckets + bucket : bucket) * width_of(octave);
  }

  std::array<std::unique_ptr<Octave>, kOctaves> octaves_;
  uint64_t count_ = 0, sum_ = 0, max_ = 0;
};

} // namespace nophook
