// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A detached thread that looks at all threads, at growing intervals, until the transition has
// ended.

#include "livepatch/driver.h"

#include "base/background_thread.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/syscall.h"
#include "livepatch/transition.h"

#include <sys/prctl.h>
#include <time.h>

namespace nophook {
namespace {

constexpr long kFirstPauseNs = 200'000, kLongestPauseNs = 50'000'000;
constexpr size_t kStackBytes = 128 << 10; // callbacks of patches run on it

bool g_runs = false; // whether the thread runs; under the lock

// Whether there is something to do; if not, the thread ends, and the next transition starts another
// one.
bool go_on() {
  RuntimeLock lock;
  return g_runs = in_transition();
}

void *run(void *) {
  sys(SYS_prctl, PR_SET_NAME, "nophook-klp");
  for (long pause_ns = kFirstPauseNs; go_on();) {
    if (!drive_transition()) {
      pause_ns = kFirstPauseNs;
      continue;
    }
    const timespec pause = {0, pause_ns};
    sys(SYS_nanosleep, &pause, nullptr);
    pause_ns = pause_ns * 2 < kLongestPauseNs ? pause_ns * 2 : kLongestPauseNs;
  }
  return nullptr;
}

} // namespace

void ensure_driver() {
  {
    RuntimeLock lock;
    if (g_runs || !in_transition())
      return;
    g_runs = true;
  }
  if (!start_background_thread(run, kStackBytes))
    return;
  log_line("livepatch: no thread to drive the transition; klp_patch_status() tries again");
  RuntimeLock lock;
  g_runs = false;
}

void driver_after_fork() {
  g_runs = false;
}

} // namespace nophook
