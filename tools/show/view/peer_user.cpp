// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches /proc/net/tcp for the connection.

#include "show/view/peer_user.h"

#include "foundation/file.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sstream>
#include <sys/socket.h>

namespace nophook {

namespace {

constexpr const char *kEstablished = "01"; // a closed socket is listed as root's

// An address as a row of /proc/net/tcp has it: the address as a number of this CPU, the port in its
// usual order.
std::string row_text(const sockaddr_in &address, const char *prefix) {
  return fmt::format("{}{:08X}:{:04X}", prefix, (uint32_t)address.sin_addr.s_addr,
                     ntohs(address.sin_port));
}

std::optional<uid_t> user_in(const char *table, const std::string &local,
                             const std::string &remote) {
  std::istringstream lines(read_small_file(table));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string number, from, to, state, queues, timer, retransmits;
    uid_t user;
    if (words >> number >> from >> to >> state >> queues >> timer >> retransmits >> user &&
        from == local && to == remote && state == kEstablished)
      return user;
  }
  return std::nullopt;
}

} // namespace

std::optional<uid_t> peer_user(int fd) {
  sockaddr_in own = {}, peer = {};
  socklen_t own_bytes = sizeof own, peer_bytes = sizeof peer;
  if (::getsockname(fd, reinterpret_cast<sockaddr *>(&own), &own_bytes) ||
      ::getpeername(fd, reinterpret_cast<sockaddr *>(&peer), &peer_bytes) ||
      own.sin_family != AF_INET || peer.sin_family != AF_INET)
    return std::nullopt;
  if (auto user = user_in("/proc/self/net/tcp", row_text(peer, ""), row_text(own, "")))
    return user;
  // An IPv6 socket has the same address in another form.
  const std::string prefix = "0000000000000000" + fmt::format("{:08X}", htonl(0xffff));
  return user_in("/proc/self/net/tcp6", row_text(peer, prefix.c_str()),
                 row_text(own, prefix.c_str()));
}

} // namespace nophook
