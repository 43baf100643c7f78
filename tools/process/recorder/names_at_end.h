// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of functions for a recording that has ended, as long as the user waits for them.
//
// Libraries read the debug info, for seconds where there are hundreds of MiB of it, and cannot be
// interrupted. So a separate process reads it, and is killed if the user wants the end. The
// recording on disk is complete all the time.

#pragma once

#include "process/drain/record_names.h"
#include "process/recorder/hook.h"

namespace nophook {

// False: `user` wanted the end, and the recording has no names.
bool record_names_at_end(const DrainTotals &totals, KeepNames keep, RecordingWriter &writer,
                         RecorderHook &user);

} // namespace nophook
