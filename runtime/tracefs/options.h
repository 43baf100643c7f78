// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace nophook {

// Whether the option of trace_options is on. Under the runtime's lock.
bool trace_option(const char *name);

} // namespace nophook
