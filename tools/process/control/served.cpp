// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads /proc/net/unix, which has the path to which each socket was bound.

#include "process/control/served.h"

#include "foundation/file.h"
#include "foundation/identity.h"
#include "foundation/process.h"
#include "foundation/process_user.h"
#include "process/control/client.h"
#include "process/drain/buffer_folder.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

namespace nophook {

std::optional<OwnName> owner_of_socket(std::string_view file) {
  constexpr std::string_view kSuffix = ".sock";
  OwnName owner;
  const char *end = file.data() + file.size(), *number = file.data();
  if (size_t dash = file.find('-'); dash != std::string_view::npos) {
    number += dash + 1;
    auto [rest, error] = std::from_chars(file.data(), end, owner.pid_namespace);
    if (error != std::errc() || rest + 1 != number)
      return std::nullopt;
  }
  auto [rest, error] = std::from_chars(number, end, owner.number);
  bool is_good = error == std::errc() && owner.number > 0 && std::string_view(rest, end) == kSuffix;
  return is_good ? std::optional(owner) : std::nullopt;
}

// A line ends with "/proc/thread-self/fd/N/NAMESPACE-PID.sock.tmp": a socket is renamed once it
// listens.
std::vector<int32_t> listening_processes() {
  constexpr std::string_view kFolder = " /proc/thread-self/fd/", kEnd = ".tmp";
  std::string sockets = read_small_file("/proc/net/unix");
  std::vector<int32_t> pids;
  for (size_t at = 0, end; at < sockets.size(); at = end + 1) {
    end = std::min(sockets.find('\n', at), sockets.size());
    std::string_view line = std::string_view(sockets).substr(at, end - at);
    if (line.find(kFolder) == std::string_view::npos || !line.ends_with(kEnd))
      continue;
    line.remove_suffix(kEnd.size());
    auto owner = owner_of_socket(line.substr(line.rfind('/') + 1));
    // Without a namespace the number may be another process's: the list covers the whole machine.
    if (int32_t pid = owner && owner->pid_namespace ? number_here(*owner) : 0)
      pids.push_back(pid);
  }
  std::ranges::sort(pids); // accepted connections have the socket's name, too
  pids.erase(std::ranges::unique(pids).begin(), pids.end());
  return pids;
}

// Nophook's runtime is never in such a process.
static bool is_32_bit(int32_t pid) {
  uint8_t header[EI_CLASS + 1];
  auto program = InputFile::open(fmt::format("/proc/{}/exe", pid));
  return program.ok() && program->read(0, header, sizeof header) &&
         std::memcmp(header, ELFMAG, SELFMAG) == 0 && header[EI_CLASS] == ELFCLASS32;
}

Error not_served(int32_t pid) {
  std::string process = fmt::format("process {}", pid);
  if (process_is_gone(pid))
    return error_at(process, "there is no such process");
  uid_t user = process_user(pid).value_or(geteuid());
  if (user != geteuid() && geteuid() != 0)
    return error_at(process,
                    fmt::format("belongs to user {}: only {}root may control it, in a folder such "
                                "as /dev/shm/nophook-{}",
                                user_name(user), user ? user_name(user) + " and " : "", user));
  if (is_32_bit(pid))
    return error_at(process, "is a 32-bit program: Nophook has a runtime for 64-bit ones only");
  if (!std::ranges::binary_search(listening_processes(), pid))
    return error_at(process,
                    fmt::format("does not serve (start it with {}; nophook ps shows those that do)",
                                words_to_serve()));
  return error_at(process, fmt::format("serves in an unknown folder: name it by --dir. "
                                       "These were tried: {}",
                                       fmt::join(buffer_folders_of(pid), ", ")));
}

} // namespace nophook
