// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One recording from the start of the program to its end.
//
//   the program ends                 everything that is left is taken; processes that it has
//                                    started and that live on stop writing events (--wait-children:
//                                    the recording goes on until they have ended, too)
//   Ctrl-C                           the program has it, too, and mostly ends; if it has not
//                                    within a second, the recording ends and the program goes on
//   SIGINT by kill                   it is meant for us: the recording ends at once
//   SIGTERM, SIGHUP, SIGQUIT         the program has it or gets it from us; then as Ctrl-C
//   size or time that was asked for  the recording ends, the program goes on
//   the disk is full                 the same
//
// The last lines, and the END chunk, show the reason. If the program continues, we wait for it: the
// caller that started us instead of the program expects its exit status, and that the program has
// ended when we have. (--kill: we end it.)

#pragma once

#include "foundation/json.h"
#include "process/drain/buffer_folder.h"
#include "process/drain/record_names.h"
#include "process/launch/old_recording.h"
#include "process/launch/program.h"
#include "process/recorder/limits.h"
#include "read/recording/writer.h"

#include <optional>

namespace nophook {

// How the end of the program and of the recording depend on each other.
struct AtEnd {
  std::optional<KeepNames> names; // names that the recording gets; none: it is read at once
  bool wait_children = false;     // the recording goes on as long as a followed process lives
  bool kill = false;              // the program ends with the recording
  bool strict = false;            // a recording that lacks something is a failure
};

// The exit status of the program, as a shell would show it; 1 if that is 0 but the recording has
// failed. `old` is the recording that `writer` replaces. `about` describes the request for the
// recording's INFO chunk.
Result<int> run_session(const Program &program, const std::vector<std::string> &variables,
                        BufferFolder &folder, RecordingWriter &writer, OldRecording &old,
                        const Limits &limits, const AtEnd &at_end, Json about);

} // namespace nophook
