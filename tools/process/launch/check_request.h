// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds mistyped names and values in a request before the program starts. Otherwise the program
// would run to its end, and nothing would be recorded.

#pragma once

#include "process/launch/trace_request.h"
#include "process/launch/typed_filters.h"

namespace nophook {

// Checks that --set names existing settings.
Result<> check_names(const TraceRequest &request);
// Checks the values of settings. A running process, whose files `attach` writes, has more options
// (trace_options), and refuses others itself.
enum class ToWhom { kNewProgram, kRunningProcess };
Result<> check_values(const std::string &verb, const TraceRequest &request, ToWhom to);

// Checks that each filter names a function of the program, which is called `program`.
Result<> check_filters(const TraceRequest &request, const TracedNames &names,
                       const std::string &program);

} // namespace nophook
