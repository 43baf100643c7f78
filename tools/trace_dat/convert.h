// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recording as trace.dat. What the kernel's format has no place for is left out: arguments and
// results of calls, and which process a thread is of. An event made by text is a mark with its
// text.

#pragma once

#include "base/result.h"

#include <string>

namespace nophook {

// `path`: as open_recording() takes it. Says on stderr what a reader has to know. Errors: there is
// nothing to convert, or it cannot be written; and damage, after the rest has been converted.
Result<> convert_to_trace_dat(const std::string &path, const std::string &output);

} // namespace nophook
