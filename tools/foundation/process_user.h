// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user that a process belongs to.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>

namespace nophook {

// The effective user of a process. /proc/PID itself is root's if the process may not be looked
// into. None: it is gone.
std::optional<uid_t> process_user(int32_t pid);

// The same, as the process sees it: in a user namespace that may be another number.
std::optional<uid_t> own_user_of_process(int32_t pid);

// The name of a user, "alice", or the number if it has no name.
std::string user_name(uid_t user);

} // namespace nophook
