// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One recording from the start of the program to its end.
//
//   the program ends                 everything that is left is taken; processes that it has
//                                    started and that live on are told to stop
//   Ctrl-C                           the program has it, too, and mostly ends; if it has not
//                                    within a second, the recording ends and the program goes on
//   SIGINT by kill                   it is meant for us: the recording ends at once
//   SIGTERM, SIGHUP, SIGQUIT by kill are passed on to the program
//   the disk is full                 the recording ends, the program goes on

#pragma once

#include "drain/buffer_folder.h"
#include "launch/program.h"
#include "recording/writer.h"

#include <nlohmann/json.hpp>

namespace nophook {

// The exit status of the program, as a shell would show it; 1 if that is 0 but the recording
// has failed. `about` describes the request for the recording's INFO chunk.
Result<int> run_session(const Program &program, const std::vector<std::string> &variables,
                        BufferFolder &folder, RecordingWriter &writer,
                        nlohmann::ordered_json about);

} // namespace nophook
