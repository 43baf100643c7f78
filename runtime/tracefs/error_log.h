// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tracefs/control_text.h"

namespace nophook {

// Keeps what was wrong with a command that was written to a control file, for error_log: `where`
// in `command` (bytes) it is, `who` reports it, and in which instance's folder the file is (0: in
// none). Takes the runtime's lock.
void keep_error(const Status &status, const char *command, uint64_t bytes, uint64_t where,
                const char *who = "ftrace", uint32_t instance = 0);

} // namespace nophook
