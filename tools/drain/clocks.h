// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "recording/format.h"

namespace nophook {

// This instant on all clocks.
ClockPair read_clocks();

} // namespace nophook
