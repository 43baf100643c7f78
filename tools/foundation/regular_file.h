// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one way to open a file whose name comes from outside: an argument, an entry of a folder that
// others write to, a path within a recording.
//
// open(2) of a FIFO waits for a writer, that of a device may do something (a watchdog begins to
// count), a read of one may never end, and a sparse file of 64 GiB takes no space and an hour to
// read. So a file is looked at before it is opened, it must be a regular file, and a caller that
// reads all of it gives a limit.

#pragma once

#include "foundation/file.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace nophook {

struct RegularFile {
  FileDescriptor fd;
  uint64_t size = 0; // size when it was opened
};

// Opens a file. `flags`: O_RDONLY or O_RDWR, and O_NOFOLLOW.
Result<RegularFile> open_regular(const std::string &path, int flags = O_RDONLY);

// The same for a path relative to the folder `folder`, with the facts of the file's inode.
Result<RegularFile> open_regular_at(int folder, const std::string &path, int flags,
                                    struct stat *about);

} // namespace nophook
