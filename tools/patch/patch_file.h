// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library of a live patch, as the patched process sees it.

#pragma once

#include "foundation/result.h"

#include <cstdint>
#include <string>

namespace nophook {

// The path by which process `pid` opens `file`. A file below /proc/PID/root is named as it is seen
// there. Errors: the file is no shared library, is cut short or damaged, or is for another CPU; the
// process does not see it (another mount namespace, chroot); the process has loaded an older file
// of this name.
Result<std::string> path_for_process(int32_t pid, const std::string &file);

// C source for the note that has the checksum.
std::string checksum_note();

// Writes the checksum of include/nophook/patch_checksum.h into the library's note.
Result<> write_checksum(const std::string &path);

// Whether the process has mapped a file of this name, as it sees it. False also for a process that
// we must not inspect.
bool has_mapped(int32_t pid, const std::string &path);

} // namespace nophook
