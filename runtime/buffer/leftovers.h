// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers of processes that have ended, in the folder where programs put them that are traced
// without a recorder. They are kept for `nophook recover`, and no tool removes them: one small
// script left 963 files and 314 MiB. So each program that begins there, and some of the fork
// children, remove the buffers above the limit, the oldest first.

#pragma once

#include <stdint.h>

namespace nophook {

// The most buffers that may stay.
constexpr uint32_t kMostLeftovers = 64;
// The most bytes that may stay, if a quarter of the file system is not less.
constexpr uint64_t kMostLeftoverBytes = uint64_t{1} << 30;
constexpr uint64_t kMostLeftoverSeconds = 7 * 24 * 3600;

// Removes buffers above these limits, but none of a process that lives, that may live in another
// PID namespace, or that a recorder reads. Any thread, signals blocked or in the constructor; no
// libc.
void remove_leftovers(const char *folder);

} // namespace nophook
