// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way back from any settings, for `nophook reset`.

#pragma once

#include "process/control/tree.h"

namespace nophook {

// Resets the tree to its state in a process that has never been traced, but for the buffer's size
// and its clock: tracing stops; filters, triggers, events made by text and recorded events are
// gone. Errors: the first; the rest is still reset.
Result<> reset_tree(ControlTree &tree, ControlClient &client);

} // namespace nophook
