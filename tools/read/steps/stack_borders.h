// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frames of a thread that begin another stack, where the distance of stacks does not show it.
//
// Generators of a few KiB lie side by side. When one resumes another, that one's frames are below
// its own, as if it had called them; when it goes on, they look as if an exception had left them.
// Only what comes later shows which it was: a call that has been left never returns. So this pass
// takes each jump of more than 4 KiB for another stack, and looks whether a call returns there
// after the stack that it jumped from has gone on. A function with a large frame, or an exception,
// does not do that.
//
// The pass costs as much as reading the thread once. It is made for threads that have such a jump,
// when the first one is met.

#pragma once

#include "read/recording/reader.h"
#include "read/steps/timeline.h"

namespace nophook {

std::vector<StackBorder> find_stack_borders(Timeline::Source source);

// The borders in a stream. They are kept with the recording. Any thread.
std::shared_ptr<const std::vector<StackBorder>> stack_borders(const Recording &recording,
                                                              uint32_t stream);

} // namespace nophook
