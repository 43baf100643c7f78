// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the devices, switches and file systems that could be the cause, one by one.

#include "process/mount/host_needs.h"

#include "foundation/file.h"

#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace nophook {

namespace {

// Switches that refuse user namespaces to users other than root, and the commands that allow them:
// the kernel's own, Debian's and Ubuntu's.
constexpr struct {
  const char *path, *refuses, *command;
} kSwitches[] = {
    {"/proc/sys/user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=10000"},
    {"/proc/sys/kernel/unprivileged_userns_clone", "0",
     "sysctl kernel.unprivileged_userns_clone=1"},
    {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
     "sysctl kernel.apparmor_restrict_unprivileged_userns=0"},
};

} // namespace

std::string missing_device() {
  FileDescriptor device(::open("/dev/fuse", O_RDWR | O_CLOEXEC));
  if (device.valid())
    return "";
  if (errno == EACCES || errno == EPERM)
    return "this user may not open /dev/fuse (as root: chmod 666 /dev/fuse; a container "
           "must be allowed to use the device)";
  return "there is no /dev/fuse (as root: modprobe fuse; a container must be given the device)";
}

std::string missing_mount_helper() {
  const char *path = std::getenv("PATH");
  std::string list = path ? path : "/bin:/usr/bin";
  for (size_t at = 0, end; at <= list.size(); at = end + 1) {
    end = std::min(list.find(':', at), list.size());
    if (::access((list.substr(at, end - at) + "/fusermount3").c_str(), X_OK) == 0)
      return "";
  }
  return "fusermount3 is missing; users other than root need it to mount (package fuse3)";
}

std::string missing_user_namespace(int error) {
  std::string why = "this user cannot make a mount namespace: be root, or allow user namespaces";
  for (const auto &one : kSwitches)
    if (read_small_file(one.path).starts_with(one.refuses))
      return fmt::format("{} (as root: {})", why, one.command);
  return fmt::format("{} ({})", why,
                     error == EINVAL ? "this kernel has none" : std::strerror(error));
}

std::string missing_tracefs(const std::string &folder, int error) {
  if (::access(folder.c_str(), F_OK) != 0 || error == ENODEV)
    return "this kernel has no tracefs (CONFIG_FTRACE), which trace-cmd and other tools need; "
           "nophook "
           "mount works without it";
  return fmt::format("there is no tracefs, and only root can mount it (as root: mount -t tracefs "
                     "tracefs {})",
                     folder);
}

} // namespace nophook
