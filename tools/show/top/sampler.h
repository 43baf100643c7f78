// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The costs of functions since the last look, in a process whose profiler is on. The counts are
// read from its mapped file: the process does nothing for it.

#pragma once

#include "process/drain/shared_buffer.h"
#include "read/recording/reader.h"
#include "read/symbols/functions.h"

#include <chrono>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace nophook {

struct FunctionRate {
  std::string function;
  uint64_t calls = 0;      // calls since the last look
  uint64_t all_calls = 0;  // calls since the profiler was started
  double self = 0;         // seconds in itself for each second: 2 means two CPUs
  uint64_t self_ns = 0;    // time in itself since the last look
  uint64_t average_ns = 0; // average time of these calls, with callees
};

class ProfileSampler {
public:
  // Opens the profile; `buffer`: the process's. `names`: the style of functions' names.
  static Result<ProfileSampler> open(const std::string &buffer, NameStyle names);

  // Reads the counts. The busiest functions come first: by time in themselves, then calls.
  // Functions that were not called are left out.
  Result<std::vector<FunctionRate>> look();

private:
  struct Sums {
    uint64_t calls = 0, self = 0, total = 0; // `self` and `total` in ticks
  };
  struct Names {
    Names(Recording opened, NameStyle style, uint64_t bytes)
        : recording(std::move(opened)), functions(recording, style), list_bytes(bytes) {}
    Recording recording;
    Functions functions;
    uint64_t list_bytes;
  };
  using Clock = std::chrono::steady_clock;

  ProfileSampler(SharedBuffer buffer, NameStyle style)
      : buffer_(std::move(buffer)), style_(style) {}
  Result<> read_names();

  SharedBuffer buffer_;
  NameStyle style_;
  std::unique_ptr<Names> names_;
  std::unordered_map<uint64_t, Sums> before_; // sums of the last look, by the function's id
  Clock::time_point last_;
};

} // namespace nophook
