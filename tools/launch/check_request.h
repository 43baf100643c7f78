// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds mistyped names and values in a request before the program starts. Otherwise the program
// would run to its end, and nothing would be recorded.

#pragma once

#include "launch/trace_request.h"
#include "launch/typed_filters.h"

namespace nophook {

// Whether --set has names that there are, and values that they may have.
Result<> check_settings(const TraceRequest &request);

// Whether each filter names a function of the program, which is called `program`.
Result<> check_filters(const TraceRequest &request, const TracedNames &names,
                       const std::string &program);

} // namespace nophook
