// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/status.h"

namespace nophook {

// Applies the words of NOPHOOK, `text`, and begins what they ask for. What fails is logged; the
// first failure behind the settings themselves is returned, too.
Status start_by(const char *text);

} // namespace nophook
