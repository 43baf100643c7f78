// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/created_file.h"

#include "base/process_user.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

namespace {

// The file that has this name now; none: there is no file yet.
FileDescriptor look_at(const std::string &path, struct stat *about) {
  FileDescriptor found(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (found.valid() && ::fstat(found.get(), about) != 0)
    found.reset();
  return found;
}

Result<> judge(const std::string &path, const struct stat &about) {
  if (about.st_uid == 0)
    return {};
  if (S_ISLNK(about.st_mode))
    return error_at(path, fmt::format("is a link of user {}, which root does not write through: "
                                      "name the file itself",
                                      user_name(about.st_uid)));
  if (S_ISREG(about.st_mode) && about.st_nlink > 1)
    return error_at(path, fmt::format("is a file of user {} with several names (hard links), which "
                                      "root does not write to: remove it",
                                      user_name(about.st_uid)));
  return {};
}

// As root, what has been judged is opened: by its descriptor, or as a name that is still free.
Result<FileDescriptor> open_judged(const std::string &path, int more, mode_t mode,
                                   const char *refused) {
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | more;
  struct stat about;
  FileDescriptor file;
  if (::geteuid() != 0) {
    file.reset(::open(path.c_str(), flags, mode));
  } else if (const FileDescriptor found = look_at(path, &about); !found.valid()) {
    file.reset(::open(path.c_str(), flags | O_EXCL, mode));
  } else {
    NOPHOOK_TRY(judge(path, about));
    const std::string name =
        S_ISLNK(about.st_mode) ? path : fmt::format("/proc/self/fd/{}", found.get());
    file.reset(::open(name.c_str(), flags, mode));
  }
  if (!file.valid())
    return system_error(path, refused);
  return file;
}

} // namespace

Result<> check_output(const std::string &path) {
  struct stat about;
  if (::geteuid() != 0 || !look_at(path, &about).valid())
    return {};
  return judge(path, about);
}

Result<FileDescriptor> create_file(const std::string &path, mode_t mode, const char *refused) {
  return open_judged(path, O_TRUNC, mode, refused);
}

Result<FileDescriptor> open_output(const std::string &path, mode_t mode, const char *refused) {
  return open_judged(path, 0, mode, refused);
}

} // namespace nophook
