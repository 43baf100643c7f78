// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file to be written, which is emptied if it is there.
//
// Root often works in a folder of another user: `nophook attach` there writes nophook.data, and a
// link of that name to /etc/passwd would make root replace that. So root writes through no link
// and into no file with several names that another user has made. Linux does the same in /tmp alone
// (fs.protected_symlinks).

#pragma once

#include "base/file.h"

#include <sys/types.h>

namespace nophook {

// Whether the rule above lets us write to `path`.
Result<> check_output(const std::string &path);

// `mode`: of a new file. `refused`: what an error says of the file.
Result<FileDescriptor> create_file(const std::string &path, mode_t mode = 0666,
                                   const char *refused = "cannot be created");

// The same, but a file that is there keeps its contents.
Result<FileDescriptor> open_output(const std::string &path, mode_t mode,
                                   const char *refused = "cannot be created");

} // namespace nophook
