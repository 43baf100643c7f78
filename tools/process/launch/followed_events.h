// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The events of a program and of the processes that it starts, printed as they come: no recorder
// empties the buffers; this loop reads each of them as trace_pipe does.
//
// The lines of one process are in the order of time. Several processes take turns.

#pragma once

#include "process/drain/buffer_folder.h"
#include "process/launch/program.h"
#include "read/symbols/name_style.h"

namespace nophook {

// Starts the program and prints its events on standard output until it ends, filtered for a
// terminal as all texts are. Returns its exit status. A reader that closes the output ends the
// printing, not the program.
Result<int> follow_events(const Program &program, const std::vector<std::string> &variables,
                          BufferFolder &folder, const NamesOption &names);

} // namespace nophook
