// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdint.h>

namespace nophook {

// Whether the option of trace_options is on, of the main tree (0) or of an instance. Under the
// runtime's lock.
bool trace_option(const char *name, uint32_t instance = 0);

} // namespace nophook
