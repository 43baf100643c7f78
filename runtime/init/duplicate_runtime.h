// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two copies of the runtime in one process: an archive in the program and a preloaded library,
// or in a library that is loaded later. Two that patch one text would destroy it, so one works
// and the others stand back.

#pragma once

#include <nophook/site.h>

namespace nophook {

// Finds out whether another copy works here; if so, this one changes no text from now on, and
// reports that in one line if that copy has another version. Returns whether this one works. Called
// by the constructor.
bool is_the_runtime();

// Hands a module on to the copy that works; false: that is this one.
bool other_registers(const nophook_note *note);
bool other_unregisters(const nophook_note *note);

} // namespace nophook
