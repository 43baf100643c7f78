// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The start of tracing by the environment.

#pragma once

#include "base/status.h"

namespace nophook {

// Applies the words of NOPHOOK, `text`, and starts what they request. Failures are logged; the
// first failure behind the settings themselves is returned, too.
Status start_by(const char *text);

} // namespace nophook
