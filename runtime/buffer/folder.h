// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The default folder for buffers: a folder of the user's own, in memory if there is one.
// tools/process/drain/buffer_folder.cpp looks in the same places.

#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

namespace nophook {

// The first of $XDG_RUNTIME_DIR/nophook, /dev/shm/nophook-UID, /tmp/nophook-UID that is, or can be
// made, a folder of this user's, closed to all others and not read-only, and has 4 MiB free; if
// none has, the first of them. XDG_RUNTIME_DIR itself must be this user's. Not for set-user-ID
// programs: believes the environment. Errors: EACCES (there is none), ENAMETOOLONG.
Status find_buffer_folder(char *path, size_t bytes);

// A folder that the user has chosen may be any: a container has often no other one than a volume
// that all may write to. Prints a line if another user could remove or replace what is in it.
void look_at_chosen_folder(const char *path);

// Free space of the file system there, in KiB; 0: unknown.
uint64_t free_kib(const char *path);

} // namespace nophook
