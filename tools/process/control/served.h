// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processes that serve, wherever their sockets are. A socket lies in a folder that its process
// has chosen by its own environment and user, so our folders do not show it. The kernel's list of
// sockets does, by the name to which each was bound.

#pragma once

#include "foundation/identity.h"
#include "foundation/result.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace nophook {

// The owner of "NAMESPACE-PID.sock", or of "PID.sock", as older runtimes made it. None: another
// name.
std::optional<OwnName> owner_of_socket(std::string_view file);

// The serving processes of this network namespace, ascending, without killed ones.
std::vector<int32_t> listening_processes();

// Why no client of ours can reach a process: for errors.
Error not_served(int32_t pid);

} // namespace nophook
