// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code that a thread must be out of before it has left a version: the version itself, and the
// ways into versions, which show no word of it yet.

#pragma once

#include "livepatch/dispatch.h"

namespace nophook {

// Adds a version's body and its pieces. False: no memory.
bool add_version(const Version *version, CodeRanges &ranges);

bool has_code(const Version *version, uint64_t word);

// Adds the code in which a thread may be about to enter a version without a word that shows it: the
// trampoline, and those of tracers. False: no memory.
bool add_ways_to_versions(CodeRanges &ranges);

} // namespace nophook
