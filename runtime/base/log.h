// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime says to the person who traces. With a recorder the lines go into the
// shared buffer and the recorder prints them: the program's own output stays untouched.
// Without one they go to standard error.

#pragma once

#include "base/bytes.h"

namespace nophook {

// Takes one whole line without its newline; false: it cannot, use standard error.
using LogSink = bool (*)(const char *line, size_t bytes);

// Where lines go from now on; null means standard error. Not thread safe: start-up only.
void set_log_sink(LogSink sink);

// Writes one line. Thread safe; signal safe as far as the sink is (both of ours are).
void log_line(const char *line);

using LogText = Text<512>;
inline void log_line(const LogText &text) {
  log_line(text.c_str());
}

} // namespace nophook
