// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that is made from another one: an index, an export, a page.
//
// A recording is 0600, since arguments may be secrets. A file that is made from it by open() and
// the usual umask can be read by every user. So the rights of a derived file are never more than
// those of its sources. Its owner may always read and write it: the owner is the user of this
// command, who has read the sources.

#pragma once

#include "foundation/file.h"

#include <sys/types.h>

namespace nophook {

// The rights of the file `fd`, made from `sources` (open descriptors). The umask holds, too. If the
// file is of another group than a source, it is moved to that group where this user may do so; else
// its group gets the rights of all other users.
mode_t derived_mode(int fd, std::span<const int> sources);

// The umask for a folder of such files, which a library creates: the present one and, in addition,
// all rights that `source` denies.
mode_t derived_umask(int source);

// Opens `path` for writing and empties it. A new file gets these rights. An existing file keeps its
// own rights, except for additional ones. A device or a pipe is left as it is.
Result<FileDescriptor> create_derived_file(const std::string &path, std::span<const int> sources);

} // namespace nophook
