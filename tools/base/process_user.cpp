// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/process_user.h"

#include "base/file.h"

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

std::string user_name(uid_t user) {
  const passwd *entry = ::getpwuid(user);
  return entry ? printable(entry->pw_name) : fmt::format("{}", user);
}

} // namespace nophook
