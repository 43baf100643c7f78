// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's messages. The traced program's standard error is its own: another program may
// read it, and a test may compare it. So a line goes
//
//      to the control tree's file `log`, always: the newest 32 lines are kept
//      to the recorder, by the shared buffer's header, if it is worth printing at the end
//      to the target of NOPHOOK=log=...: `stderr`, or a file
//      to standard error, if it reports a refused setting of NOPHOOK and there is no other reader
//
// A caller of the API learns of an error by its result.

#pragma once

#include "base/bytes.h"
#include "base/status.h"

namespace nophook {

// Takes one whole line without its newline; false: it cannot.
using LogSink = bool (*)(const char *line, size_t bytes);

// Gives all lines, from now on and so far, to the recorder's sink. Under the runtime's lock.
void set_log_sink(LogSink sink);

// Writes lines, from now on and so far, to this target as well: `stderr`, or an absolute path.
// Errors: EINVAL, ENAMETOOLONG.
Status log_to(const char *where, uint64_t bytes);

// Called when the settings of NOPHOOK have been applied or refused. `is_recorded`: the sink
// is a recorder's; `is_served`: there is a control tree. If neither is true, refusals so far and
// from now on go to standard error.
void log_route(bool is_recorded, bool is_served);

// Each function writes one line; thread safe, signal safe as far as the sink is (the recorder's
// is).
void log_info(const char *line);    // for a person who looks for it
void log_line(const char *line);    // for a request that may come from NOPHOOK and was refused
void log_refusal(const char *line); // for an order of NOPHOOK that was refused

using LogText = Text<512>;
inline void log_line(const LogText &text) {
  log_line(text.c_str());
}
inline void log_info(const LogText &text) {
  log_info(text.c_str());
}
inline void log_refusal(const LogText &text) {
  log_refusal(text.c_str());
}

// Calls visit(context, line) for each line that is kept, the oldest first.
void visit_log(void (*visit)(void *context, const char *line), void *context);
void clear_log();

} // namespace nophook
