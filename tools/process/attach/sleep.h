// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a thread has slept in a system call.
//
// The kernel forgets it when a stop cuts the call, and the call's timeout would begin again. The
// scheduler shows when the thread ran last, on the clock of its CPU (/proc/TID/sched). That clock
// is no other CPU's: it leaves out what interrupts and the host of a virtual machine take. So the
// present time is read there, too. What that clock leaves out makes a timeout longer, never
// shorter.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace nophook {

class Sleep {
public:
  // The sleep of a thread, by its folder in /proc; call it before the thread is stopped. Nothing is
  // known if it does not sleep in a call whose timeout matters, or if the kernel does not show it
  // (CONFIG_SCHED_DEBUG). The calling thread is on the other one's CPU for a moment.
  static Sleep of(const std::string &folder);

  // How long it had slept when it was stopped, at that time; 0: not known. It is still stopped.
  std::chrono::nanoseconds until_stop(const std::string &folder,
                                      std::chrono::steady_clock::time_point stopped) const;

private:
  uint64_t sleeps_ = 0; // so far
  bool is_known_ = false;
  std::chrono::nanoseconds slept_{};
  std::chrono::steady_clock::time_point seen_;
};

} // namespace nophook
