// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The change of a patch that is under way, and the moves of functions that it consists of. All of
// it is under the runtime's lock.

#pragma once

#include "livepatch/patch.h"
#include "livepatch/transition.h"

namespace nophook {

// The change that is under way; there is one at a time. The callbacks of a patch are the program's
// code, so they run without the lock. While they do, `is_calling` keeps others from changing
// anything.
struct Change {
  // Patch whose transition begins, is under way, or ends; null: there is no change.
  nophook_klp *core;
  bool was_enabling; // whether side 1 had the patch when the transition began
  bool is_calling;
};
extern Change g_change;

// The moves of the change. They stay until the next find_moves().
const Array<Move> &moves();

// Finds the moves. Errors: ENOMEM.
Status find_moves();
// Turns the functions of the moves on, and logs what it refuses. Errors: those of turn_on().
Status turn_moves_on();

// The move of a function in the present change; both sides may be the same.
Move move_of(Dispatch *dispatch);

// The version of the function under the enabled patches from `core` on, but without `left_out`.
const Version *version_under(const nophook_klp *core, const Dispatch *dispatch,
                             const nophook_klp *left_out);

// Makes the site lead to the stub, which leads behind the site. Tracers follow `followed`. Errors:
// ENOMEM, those of add_patched().
Status turn_on(Dispatch *dispatch, const Version *followed);

// Settles the version that tracers follow, and whether the site is needed, under the patches that
// are enabled now. An error leaves the site a jump, and the function as it is.
void settle(Dispatch *dispatch);

} // namespace nophook
