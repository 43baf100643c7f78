// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the file by system calls, without a mapping of it.

#include "livepatch/patch_check.h"

#include "base/syscall.h"

#include <nophook/patch_checksum.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

namespace nophook {
namespace {

bool read_all(long file, uint64_t offset, void *to, uint64_t bytes) {
  for (uint64_t done = 0; done < bytes;) {
    const long n =
        sys(SYS_pread64, file, static_cast<char *>(to) + done, bytes - done, offset + done);
    if (n == -EINTR)
      continue;
    if (sys_failed(n) || n == 0)
      return false;
    done += (uint64_t)n;
  }
  return true;
}

} // namespace

const char *why_not_loaded(const char *path) {
  // O_NONBLOCK: a FIFO of this name must not hold up the thread that serves.
  const long file = sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (sys_failed(file))
    return nullptr; // the loader's own message will report it
  struct stat about;
  const char *reason = "is not a regular file";
  if (sys(SYS_newfstatat, file, "", &about, AT_EMPTY_PATH) == 0 && S_ISREG(about.st_mode)) {
    PatchChecksum checksum;
    reason = check_patch_file((uint64_t)about.st_size,
                              [file](uint64_t offset, void *to, uint64_t bytes) {
                                return read_all(file, offset, to, bytes);
                              },
                              &checksum);
    if (!reason && !checksum.is_good())
      reason = kPatchIsOther;
  }
  sys(SYS_close, file);
  return reason;
}

} // namespace nophook
