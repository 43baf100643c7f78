// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the found entry by its descriptor in /proc, so that it cannot be exchanged in between.

#include "foundation/regular_file.h"

#include <fmt/format.h>
#include <unistd.h>

namespace nophook {

namespace {

// Opens a file that has been checked. Without /proc it is opened by its path, and checked again.
FileDescriptor open_found(const FileDescriptor &found, int folder, const std::string &path,
                          int flags) {
  flags |= O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  FileDescriptor file(
      ::open(fmt::format("/proc/self/fd/{}", found.get()).c_str(), flags & ~O_NOFOLLOW));
  if (!file.valid() && (errno == ENOENT || errno == ENOTDIR))
    file.reset(::openat(folder, path.c_str(), flags));
  return file;
}

} // namespace

Result<RegularFile> open_regular_at(int folder, const std::string &path, int flags,
                                    struct stat *about) {
  RegularFile file;
  const FileDescriptor found(
      ::openat(folder, path.c_str(), O_PATH | O_CLOEXEC | (flags & O_NOFOLLOW)));
  if (!found.valid() || ::fstat(found.get(), about) != 0)
    return error_at(path, std::strerror(errno));
  if (S_ISREG(about->st_mode)) {
    file.fd = open_found(found, folder, path, flags);
    if (!file.fd.valid() || ::fstat(file.fd.get(), about) != 0)
      return error_at(path, std::strerror(errno));
  }
  if (!S_ISREG(about->st_mode))
    return error_at(path, S_ISDIR(about->st_mode)   ? "is a directory"
                          : S_ISLNK(about->st_mode) ? "is a symbolic link"
                                                    : "is not a regular file");
  file.size = (uint64_t)about->st_size;
  return file;
}

Result<RegularFile> open_regular(const std::string &path, int flags) {
  struct stat about;
  return open_regular_at(AT_FDCWD, path, flags, &about);
}

} // namespace nophook
