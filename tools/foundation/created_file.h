// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file to be written, which is emptied if it is there.
//
// Root writes through no link (foundation/output_place.h) and into no file with several names that
// another user has made.

#pragma once

#include "foundation/file.h"

#include <sys/types.h>

namespace nophook {

// `mode`: of a new file. `refused`: what an error says of the file.
Result<FileDescriptor> create_file(const std::string &path, mode_t mode = 0666,
                                   const char *refused = "cannot be created");

// Errors: there is a file already.
Result<FileDescriptor> create_new_file(const std::string &path, mode_t mode);

// A file that is there, which keeps its contents.
Result<FileDescriptor> open_output(const std::string &path,
                                   const char *refused = "cannot be created");

} // namespace nophook
