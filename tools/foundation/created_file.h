// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that is created for output, or emptied if it exists.
//
// Root writes through no link (foundation/output_place.h) and into no file with several names that
// another user has made.

#pragma once

#include "foundation/file.h"

#include <sys/types.h>

namespace nophook {

// Creates or empties a file. `mode`: of a new file. `refused`: the words of an error about the
// file.
Result<FileDescriptor> create_file(const std::string &path, mode_t mode = 0666,
                                   const char *refused = "cannot be created");

// Creates a file. Errors: there is a file already.
Result<FileDescriptor> create_new_file(const std::string &path, mode_t mode);

// Opens an existing file, which keeps its contents.
Result<FileDescriptor> open_output(const std::string &path,
                                   const char *refused = "cannot be created");

} // namespace nophook
