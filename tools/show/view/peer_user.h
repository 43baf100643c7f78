// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user at the other end of a connection on this machine. TCP has no SO_PEERCRED, but the kernel
// lists the owner of each socket.

#pragma once

#include <optional>
#include <sys/types.h>

namespace nophook {

// The user of the other end of an IPv4 connection `fd`. None: it is closed or not on this machine,
// or /proc does not show it.
std::optional<uid_t> peer_user(int fd);

} // namespace nophook
