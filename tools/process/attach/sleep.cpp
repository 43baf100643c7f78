// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads /proc/TID/sched, and the clock of the thread's CPU on that CPU.

#include "process/attach/sleep.h"

#include "foundation/file.h"
#include "process/stop/thread_registers.h"

#include <algorithm>
#include <charconv>
#include <sched.h>
#include <thread>

namespace nophook {
namespace {

template <class Number> bool read_number(std::string_view text, Number *to) {
  const size_t from = std::min(text.find_first_not_of(" :"), text.size());
  return std::from_chars(text.data() + from, text.data() + text.size(), *to).ec == std::errc();
}

template <class Number> bool read_field(std::string_view text, std::string_view name, Number *to) {
  const size_t at = text.find(name);
  const size_t colon = at == std::string_view::npos ? at : text.find(':', at);
  return colon != std::string_view::npos && read_number(text.substr(colon), to);
}

// When the thread ran last, and how often it has fallen asleep.
bool read_run(const std::string &folder, double *at_ms, uint64_t *sleeps) {
  const std::string text = read_small_file(folder + "sched");
  return read_field(text, "se.exec_start", at_ms) &&
         read_field(text, "nr_voluntary_switches", sleeps);
}

bool sleeps_with_timeout(const std::string &folder) {
  const std::string text = read_small_file(folder + "syscall");
  long call = -1;
  return read_number(text, &call) && has_register_timeout(call);
}

int cpu_of(const std::string &folder) {
  constexpr int kField = 39;
  const std::string text = read_small_file(folder + "stat");
  size_t at = text.rfind(')');
  for (int field = 2; at != std::string::npos && field < kField; field++)
    at = text.find(' ', at + 1);
  int cpu = -1;
  return at != std::string::npos && read_number(std::string_view(text).substr(at), &cpu) ? cpu : -1;
}

// The time on the clock of that CPU.
bool read_clock(int cpu, double *ms) {
  cpu_set_t before, there;
  CPU_ZERO(&there);
  if (cpu < 0 || cpu >= CPU_SETSIZE || ::sched_getaffinity(0, sizeof before, &before) != 0)
    return false;
  CPU_SET(cpu, &there);
  if (::sched_setaffinity(0, sizeof there, &there) != 0)
    return false;
  std::this_thread::yield(); // the scheduler notes that this thread runs
  uint64_t unused;
  const bool works = read_run("/proc/thread-self/", ms, &unused);
  // If this fails, the thread stays there for the rest of its short life.
  (void)::sched_setaffinity(0, sizeof before, &before);
  return works;
}

} // namespace

// The scheduler counts a sleep when it begins. So if the thread is seen asleep between two equal
// counts, both belong to this sleep.
Sleep Sleep::of(const std::string &folder) {
  Sleep sleep;
  double began_ms, again_ms, now_ms;
  uint64_t again;
  if (!sleeps_with_timeout(folder) || !read_run(folder, &began_ms, &sleep.sleeps_) ||
      !read_clock(cpu_of(folder), &now_ms) || !sleeps_with_timeout(folder) ||
      !read_run(folder, &again_ms, &again) || again != sleep.sleeps_ || again_ms != began_ms)
    return {};
  sleep.is_known_ = true;
  sleep.slept_ = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double, std::milli>(std::max(now_ms - began_ms, 0.0)));
  sleep.seen_ = std::chrono::steady_clock::now();
  return sleep;
}

// The stop itself adds one to the count.
std::chrono::nanoseconds Sleep::until_stop(const std::string &folder,
                                           std::chrono::steady_clock::time_point stopped) const {
  double unused;
  uint64_t sleeps;
  if (!is_known_ || !read_run(folder, &unused, &sleeps) || sleeps != sleeps_ + 1)
    return {};
  return slept_ + (stopped - seen_);
}

} // namespace nophook
