// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook patch list and status: the live patches of a process that serves its control tree.

#pragma once

#include "base/result.h"

#include <cstdint>

namespace nophook {

// A line for each patch, the oldest first.
Result<> list_live_patches(int32_t pid, bool json);

// The same, and the threads that each transition waits for.
Result<> show_live_patches(int32_t pid, bool json);

} // namespace nophook
