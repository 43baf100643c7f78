// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which objects were there when the program started: those are never unloaded.
//
// The loader lists objects in the order in which they came, and counts those that it has added:
// the first ones, as many as it had added when our constructor ran, are those of the start.

#pragma once

#include <stdint.h>

namespace nophook {

// Remembers how many objects there are. Called by the constructor: those were loaded with us.
void count_startup_objects();

// How many of the loader's list, from its head.
uint64_t startup_objects();

} // namespace nophook
