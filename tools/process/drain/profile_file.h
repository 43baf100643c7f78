// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counts of the function profiler (nophook/profile.h), from the process's file.

#pragma once

#include "process/drain/words.h"
#include "read/recording/writer.h"

#include <functional>
#include <span>
#include <string>

namespace nophook {

// Reads each thread's counts, of functions that were called, from the profile beside the buffer
// file `buffer_path`, if it exists; it may be in use.
using UseProfile = std::function<void(const ProfileHeader &, std::span<const ProfileRow>)>;
void read_profile(const std::string &buffer_path, const UseProfile &use);

// Writes the counts, and marks their functions as seen. Returns the number of calls that were
// counted.
uint64_t write_profile(const std::string &buffer_path, uint32_t process, RecordingWriter &writer,
                       SeenFunctions *seen);

} // namespace nophook
