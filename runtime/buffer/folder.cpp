// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffer/folder.h"

#include "base/bytes.h"
#include "base/syscall.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statfs.h>

namespace nophook {
namespace {

using Path = Text<400>;

uint64_t user() {
  return (uint64_t)sys(SYS_geteuid);
}

// Others may have been faster in a folder that everybody can write to.
bool own_folder(const char *path) {
  long made = sys(SYS_mkdirat, AT_FDCWD, path, 0700);
  if (!sys_failed(made))
    return true;
  struct stat st;
  return made == -EEXIST &&
         !sys_failed(sys(SYS_newfstatat, AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW)) &&
         S_ISDIR(st.st_mode) && st.st_uid == user() && (st.st_mode & 0077) == 0;
}

bool take(const Path &candidate, char *path, size_t bytes) {
  if (candidate.size() + 1 > bytes || !own_folder(candidate.c_str()))
    return false;
  copy_bytes(path, candidate.c_str(), candidate.size() + 1);
  return true;
}

} // namespace

Status find_buffer_folder(char *path, size_t bytes) {
  const char *runtime = getenv("XDG_RUNTIME_DIR");
  Path first, second, third;
  bool found = runtime && runtime[0] == '/' && text_length(runtime) < 300 &&
               take(first.add(runtime).add("/nophook"), path, bytes);
  found = found || take(second.add("/dev/shm/nophook-").number(user()), path, bytes) ||
          take(third.add("/tmp/nophook-").number(user()), path, bytes);
  return found ? Status{}
               : failure(EACCES, "there is no folder of yours for buffers: set buffer_dir");
}

uint64_t free_kib(const char *path) {
  struct statfs fs;
  if (sys_failed(sys(SYS_statfs, path, &fs)))
    return 0;
  return (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize / 1024;
}

} // namespace nophook
