// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the users of a process, and the map of its user namespace.

#include "foundation/process_user.h"

#include "foundation/file.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <pwd.h>

namespace nophook {

std::optional<uid_t> process_user(int32_t pid) {
  std::string status = read_small_file(fmt::format("/proc/{}/status", pid));
  size_t at = status.find("\nUid:");
  uid_t real, effective;
  if (at == std::string::npos ||
      std::sscanf(status.c_str() + at, "\nUid: %u %u", &real, &effective) != 2)
    return std::nullopt;
  return effective;
}

// Maps the number by lines of /proc/PID/uid_map: the first number there, the first number here, the
// count.
std::optional<uid_t> own_user_of_process(int32_t pid) {
  const std::optional<uid_t> user = process_user(pid);
  const std::string map = read_small_file(fmt::format("/proc/{}/uid_map", pid));
  for (size_t at = 0, end; user && at < map.size(); at = end + 1) {
    end = std::min(map.find('\n', at), map.size());
    uid_t there, here, count;
    if (std::sscanf(map.c_str() + at, "%u %u %u", &there, &here, &count) == 3 && *user >= here &&
        *user - here < count)
      return *user - here + there;
  }
  return user;
}

std::string user_name(uid_t user) {
  const passwd *entry = ::getpwuid(user);
  return entry ? printable(entry->pw_name) : fmt::format("{}", user);
}

} // namespace nophook
