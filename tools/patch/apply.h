// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook patch apply, revert and unload: live patches of a process that serves its control tree.

#pragma once

#include "foundation/result.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace nophook {

struct ChangeOptions {
  bool waits = false; // wait until all threads have changed over
  bool json = false;
  bool stops = false;                               // stop running threads to look at their stacks
  std::optional<std::chrono::milliseconds> timeout; // longest wait; none: no limit
};

// Each verb prints the state of the patch, and returns an exit status: kExitTimeout with the
// threads that have not changed over.

// Loads the library into the process, which enables its patch.
Result<int> apply_patch(int32_t pid, const std::string &file, const ChangeOptions &options);

// Disables the patch, or reverses its transition.
Result<int> revert_patch(int32_t pid, const std::string &name, const ChangeOptions &options);

// Waits until no thread is in the library of a disabled patch, and unloads it.
Result<int> unload_patch(int32_t pid, const std::string &name, const ChangeOptions &options);

} // namespace nophook
