// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions of a process that the profiler is on in have cost since the last look. The counts
// are read from its mapped file: the process has no part in it.

#pragma once

#include "drain/shared_buffer.h"
#include "recording/reader.h"
#include "symbols/functions.h"

#include <chrono>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace nophook {

struct FunctionRate {
  std::string function;
  uint64_t calls = 0;      // since the last look
  uint64_t all_calls = 0;  // since the profiler was begun
  double self = 0;         // seconds in itself for each second: 2 is two CPUs
  uint64_t self_ns = 0;    // since the last look
  uint64_t average_ns = 0; // of these calls, with what they called
};

class ProfileSampler {
public:
  // `buffer`: the process's.
  static Result<ProfileSampler> open(const std::string &buffer);

  // The busiest first: by time in themselves, then calls. Those that were not called are left out.
  Result<std::vector<FunctionRate>> look();

private:
  struct Sums {
    uint64_t calls = 0, self = 0, total = 0; // the last two in ticks
  };
  struct Names {
    Recording recording;
    Functions functions{recording};
    uint64_t list_bytes;
  };
  using Clock = std::chrono::steady_clock;

  explicit ProfileSampler(SharedBuffer buffer) : buffer_(std::move(buffer)) {}
  Result<> read_names();

  SharedBuffer buffer_;
  std::unique_ptr<Names> names_;
  std::unordered_map<uint64_t, Sums> before_; // by the function's id
  Clock::time_point last_;
};

} // namespace nophook
