// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine/aarch64/link_register.h"

#include <algorithm>

namespace nophook::aarch64 {

bool LinkRegister::is_return_address_read() const {
  if (std::none_of(steps_.begin(), steps_.end(), [](const Step &step) { return step.reads; }))
    return false;
  std::vector<bool> holds(steps_.size());
  std::vector<uint64_t> waiting;
  auto reach = [&](uint64_t number) {
    if (number < steps_.size() && !holds[number]) {
      holds[number] = true;
      waiting.push_back(number);
    }
  };
  auto leave = [&](uint64_t number) {
    const Step &step = steps_[number];
    if (step.falls_through)
      reach(number + 1);
    if (step.target)
      reach(*step.target);
  };
  for (uint64_t number = 0; number < steps_.size(); number++) {
    if (number == 0 || steps_[number].surely_holds)
      reach(number);
    if (steps_[number].after == Step::kBack)
      leave(number);
  }
  while (!waiting.empty()) {
    const uint64_t number = waiting.back();
    waiting.pop_back();
    const Step &step = steps_[number];
    // The targets of a table are unknown. If x30 is the return address by the unwind table, it is
    // so at the table's targets, too, and they have been reached.
    if (step.reads || (step.jumps_anywhere && !step.surely_holds))
      return true;
    if (step.after != Step::kLost)
      leave(number);
  }
  return false;
}

} // namespace nophook::aarch64
