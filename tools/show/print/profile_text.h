// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profiler's counts as the kernel shows them in trace_stat/function*, with one column more.

#pragma once

#include "foundation/output.h"
#include "read/analyse/costs.h"

namespace nophook {

struct ProfileOptions {
  // Name of a column: time, hit, avg, s^2, self, function; without times hit or function.
  std::string sort = "time";
  bool by_thread = false; // whether there is a table for each thread, else one of all
  uint64_t rows = 0;      // the most rows; 0: all
  bool json = false;
};

void print_profile(Output &output, Functions &functions, const Recording &recording,
                   const ProfileOptions &options);

} // namespace nophook
