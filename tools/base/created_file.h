// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file to be written, which is emptied if it is there.

#pragma once

#include "base/file.h"

#include <fcntl.h>

namespace nophook {

inline Result<FileDescriptor> create_file(const std::string &path) {
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file.valid())
    return system_error(path, "cannot be created");
  return file;
}

} // namespace nophook
