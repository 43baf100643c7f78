// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tracing_cpumask: the CPUs on which calls are recorded. Changed under the runtime's lock, while
// callbacks read.

#pragma once

#include "base/status.h"

#include <stdint.h>

namespace nophook {

class CpuMask {
public:
  bool is_set() const { return is_set_; }
  // Whether the mask has the CPU: every CPU if no mask is set, and a CPU whose number is unknown.
  bool has(uint32_t cpu) const {
    return !is_set_ || cpu >= kMost ||
           __atomic_load_n(&bits_[cpu / 64], __ATOMIC_RELAXED) >> cpu % 64 & 1;
  }

  // Sets the mask from a hexadecimal number, the lowest CPUs last, with commas anywhere. Errors:
  // EINVAL; then nothing has changed.
  Status set(const char *text, uint64_t bytes);
  void clear() { is_set_ = false; }

  // Shows as many digits as the machine has CPUs for, in groups of 32 CPUs.
  template <class To> void show(To &text) const {
    uint64_t count = cpus();
    for (uint64_t digit = (count + 3) / 4; digit-- > 0;) {
      uint64_t last = count - digit * 4, there = last < 4 ? (1u << last) - 1 : 15;
      uint64_t bits = is_set_ ? bits_[digit / 16] >> digit % 16 * 4 & there : there;
      text.add(&"0123456789abcdef"[bits], 1).add(digit && digit % 8 == 0 ? "," : "");
    }
  }

private:
  static constexpr uint32_t kMost = 8192;
  static uint64_t cpus();

  bool is_set_;
  uint64_t bits_[kMost / 64];
};

} // namespace nophook
