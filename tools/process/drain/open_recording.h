// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source that a user names as a recording: a file, or buffers that no recorder has emptied.
//
// Readers of recordings know files alone. So the contents of buffers are first written to a file
// without a name, as a recorder would have done (process/drain/recover.h).

#pragma once

#include "read/recording/reader.h"

namespace nophook {

// `path`: a recording, or buffers as choose_buffers() understands them, which become one recording.
Result<Recording> open_recording(const std::string &path);

} // namespace nophook
