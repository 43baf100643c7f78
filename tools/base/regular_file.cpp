// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/regular_file.h"

#include <sys/stat.h>

namespace nophook {

Result<RegularFile> open_regular(const std::string &path, int flags) {
  RegularFile file;
  file.fd.reset(::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat st;
  if (!file.fd.valid() || fstat(file.fd.get(), &st) != 0)
    return error_at(path, std::strerror(errno));
  if (!S_ISREG(st.st_mode))
    return error_at(path, S_ISDIR(st.st_mode) ? "is a directory" : "is not a regular file");
  file.size = (uint64_t)st.st_size;
  return file;
}

} // namespace nophook
