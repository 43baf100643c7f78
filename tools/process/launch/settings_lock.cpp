// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "process/launch/settings_lock.h"

#include "process/recorder/waiting_line.h"

#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <thread>

namespace nophook {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kLockPatience = 2s, kPause = 20ms;

// The second one is for a process that its own user may not look into.
FileDescriptor open_file(int32_t pid) {
  FileDescriptor file;
  for (const char *name : {"environ", "stat"})
    if (!file.valid())
      file.reset(::open(fmt::format("/proc/{}/{}", pid, name).c_str(), O_RDONLY | O_CLOEXEC));
  return file;
}

} // namespace

Result<SettingsLock> SettingsLock::take(int32_t pid, const std::function<Result<>()> &is_in_vain) {
  SettingsLock lock;
  lock.file_ = open_file(pid);
  const auto end = std::chrono::steady_clock::now() + kLockPatience;
  const WaitingLine line(fmt::format("another command to restore the settings of process {}", pid));
  while (lock.file_.valid() && ::flock(lock.file_.get(), LOCK_EX | LOCK_NB) != 0) {
    NOPHOOK_TRY(is_in_vain());
    if (std::chrono::steady_clock::now() > end)
      return error_at(fmt::format("process {}", pid),
                      "another command has changed its settings for a while (nophook attach or "
                      "top): end that first");
    std::this_thread::sleep_for(kPause);
  }
  return lock;
}

} // namespace nophook
