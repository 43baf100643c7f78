// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks an existing file before it is opened, and opens it by its descriptor.

#include "foundation/created_file.h"

#include "foundation/output_place.h"
#include "foundation/process_user.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

namespace {

// Checks the found entry. A link has been put there since the place was found.
Result<> judge(const std::string &path, const struct stat &about) {
  if (about.st_uid == 0)
    return {};
  if (S_ISLNK(about.st_mode))
    return error_at(path, fmt::format("is a link of user {}, which is not followed: name the "
                                      "file itself",
                                      user_name(about.st_uid)));
  if (S_ISREG(about.st_mode) && about.st_nlink > 1)
    return error_at(path, fmt::format("is a file of user {} with several names (hard links), which "
                                      "root does not write to: remove it",
                                      user_name(about.st_uid)));
  return {};
}

// Opens the checked file, as root by its descriptor.
Result<FileDescriptor> open_judged(const std::string &path, int flags, const char *refused) {
  auto place = OutputPlace::find(path, refused);
  NOPHOOK_TRY(place);
  const char *name = place->name().c_str();
  FileDescriptor file;
  if (::geteuid() != 0 || place->is_open_file()) {
    file.reset(::openat(place->folder(), name, flags));
  } else {
    struct stat about;
    const FileDescriptor found(::openat(place->folder(), name, O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (found.valid() && ::fstat(found.get(), &about) == 0) {
      NOPHOOK_TRY(judge(path, about));
      file.reset(::open(fmt::format("/proc/self/fd/{}", found.get()).c_str(), flags));
    }
  }
  if (!file.valid())
    return system_error(path, refused);
  return file;
}

} // namespace

Result<FileDescriptor> create_new_file(const std::string &path, mode_t mode) {
  constexpr const char *kRefused = "cannot be created";
  auto place = OutputPlace::find(path, kRefused);
  NOPHOOK_TRY(place);
  FileDescriptor file(::openat(place->folder(), place->name().c_str(),
                               O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!file.valid())
    return system_error(path, kRefused);
  return file;
}

Result<FileDescriptor> create_file(const std::string &path, mode_t mode, const char *refused) {
  auto file = create_new_file(path, mode);
  if (file)
    return file;
  return open_judged(path, O_WRONLY | O_CLOEXEC | O_TRUNC, refused);
}

Result<FileDescriptor> open_output(const std::string &path, const char *refused) {
  return open_judged(path, O_WRONLY | O_CLOEXEC, refused);
}

} // namespace nophook
