// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "buffer/folder.h"

#include "base/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {
namespace {

using Path = Text<400>;

// Others may have been faster in a folder that everybody can write to.
bool own_folder(const char *path) {
  if (mkdir(path, 0700) == 0)
    return true;
  struct stat st;
  return errno == EEXIST && lstat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
         st.st_uid == geteuid() && (st.st_mode & 0077) == 0;
}

bool take(const Path &candidate, char *path, size_t bytes) {
  if (candidate.size() + 1 > bytes || !own_folder(candidate.c_str()))
    return false;
  copy_bytes(path, candidate.c_str(), candidate.size() + 1);
  return true;
}

} // namespace

Status find_buffer_folder(char *path, size_t bytes) {
  int before = errno;
  const char *runtime = getenv("XDG_RUNTIME_DIR");
  Path first, second, third;
  bool found = runtime && runtime[0] == '/' && text_length(runtime) < 300 &&
               take(first.add(runtime).add("/nophook"), path, bytes);
  found = found || take(second.add("/dev/shm/nophook-").number(geteuid()), path, bytes) ||
          take(third.add("/tmp/nophook-").number(geteuid()), path, bytes);
  errno = before;
  return found ? Status{}
               : failure(EACCES, "there is no folder of yours for buffers: set buffer_dir");
}

} // namespace nophook
