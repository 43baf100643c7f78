// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process that a command is about: the one that is named, or the only one that serves.

#pragma once

#include "process/control/client.h"

#include <optional>

namespace nophook {

Result<int32_t> choose_process(std::optional<int32_t> named);

// The same for the words behind a verb. If the first one is a number, it is removed.
Result<int32_t> choose_process(std::vector<std::string> *words);

} // namespace nophook
