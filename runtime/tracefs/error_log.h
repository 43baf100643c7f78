// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of error_log, which explains errors that write() returns as an errno only.

#pragma once

#include "tracefs/control_text.h"

namespace nophook {

// Keeps the error of a command that was written to a control file, for error_log: the offset
// `where` in `command` (`bytes` long), the reporter `who`, and the instance in whose folder the
// file is (0: in none). Takes the runtime's lock.
void keep_error(const Status &status, const char *command, uint64_t bytes, uint64_t where,
                const char *who = "ftrace", uint32_t instance = 0);

} // namespace nophook
