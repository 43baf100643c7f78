// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers of processes that have ended, in the folder where programs put them that are traced
// without a recorder. They are there for `nophook recover`, and nobody removes them: one small
// script left 963 files and 314 MiB. So each program that begins there, and some of the fork
// children, remove what is too much, the oldest first.

#pragma once

#include <stdint.h>

namespace nophook {

// What may stay.
constexpr uint32_t kMostLeftovers = 64;
constexpr uint64_t kMostLeftoverBytes = uint64_t{1} << 30; // or a quarter of the file system
constexpr uint64_t kMostLeftoverSeconds = 7 * 24 * 3600;

// Nothing of a process that lives, that may live in another PID namespace, or that a recorder
// reads. Any thread, signals blocked or in the constructor; no libc.
void remove_leftovers(const char *folder);

} // namespace nophook
