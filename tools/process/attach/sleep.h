// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a thread has slept in a system call.
//
// The kernel forgets the time when a stop cuts the call, and the call's timeout would begin again.
// The scheduler shows when the thread ran last, on the clock of its CPU (/proc/TID/sched). Each CPU
// has a clock of its own: it leaves out the time of interrupts and of the host of a virtual
// machine. So the present time is read on the same CPU, too. The time that this clock leaves out
// makes a timeout longer, never shorter.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace nophook {

class Sleep {
public:
  // The sleep of a thread, given its folder in /proc; called before the thread is stopped. Nothing
  // is known if it does not sleep in a call whose timeout matters, or if the kernel does not show
  // it (CONFIG_SCHED_DEBUG). The calling thread moves to the other thread's CPU for a moment.
  static Sleep of(const std::string &folder);

  // How long the thread had slept when it was stopped, at time `stopped`; 0: not known. It must
  // still be stopped.
  std::chrono::nanoseconds until_stop(const std::string &folder,
                                      std::chrono::steady_clock::time_point stopped) const;

private:
  uint64_t sleeps_ = 0; // number of sleeps so far
  bool is_known_ = false;
  std::chrono::nanoseconds slept_{};
  std::chrono::steady_clock::time_point seen_;
};

} // namespace nophook
