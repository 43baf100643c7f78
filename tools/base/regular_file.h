// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one way to open a file whose name comes from outside: an argument, an entry of a folder that
// others write to, a path within a recording.
//
// open(2) of a FIFO waits for a writer, a read of a device may never end, and a sparse file of 64
// GiB takes no space and an hour to read. So a file is opened without waiting, it must be a regular
// file, and a caller that reads all of it gives a limit.

#pragma once

#include "base/file.h"

#include <fcntl.h>

namespace nophook {

struct RegularFile {
  FileDescriptor fd;
  uint64_t size = 0; // when it was opened
};

// `flags`: O_RDONLY or O_RDWR, and O_NOFOLLOW.
Result<RegularFile> open_regular(const std::string &path, int flags = O_RDONLY);

} // namespace nophook
