// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions to the loader that must be asked when the program starts. Later, a thread that loads a
// library may hold the loader's lock and wait for the runtime's, since a constructor registers it.
//
// Objects that are loaded at that time are never unloaded, unless the runtime itself comes late.
// The loader lists objects in the order in which they came, and counts those that it has added: the
// first ones, as many as it had added when our constructor ran, are those of the start.

#pragma once

#include <stdint.h>

namespace nophook {

// Asks both questions. Called by the constructor.
void ask_loader();

// The number of startup objects, which are the first ones of the loader's list.
uint64_t startup_objects();

} // namespace nophook
