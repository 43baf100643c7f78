// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which process is meant: the one that is named, or the only one that serves.

#pragma once

#include "process/control/client.h"

#include <optional>

namespace nophook {

Result<int32_t> choose_process(std::optional<int32_t> named);

// The same of the words behind a verb, whose first may be a number, which they then lose.
Result<int32_t> choose_process(std::vector<std::string> *words);

} // namespace nophook
