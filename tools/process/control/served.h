// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which processes serve, wherever their sockets are. A socket lies in a folder that its process has
// chosen by its own environment and user, so folders of ours do not show it; the kernel's list of
// sockets does, by the name that each was bound to.

#pragma once

#include "foundation/identity.h"
#include "foundation/result.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace nophook {

// The owner of "NAMESPACE-PID.sock", or of "PID.sock", as older runtimes made it. None: it is no
// such name.
std::optional<OwnName> owner_of_socket(std::string_view file);

// Those of this network namespace, ascending. One that was killed is not among them.
std::vector<int32_t> listening_processes();

// Why no client of ours gets to a process: for errors.
Error not_served(int32_t pid);

} // namespace nophook
