// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows a path link by link, each folder by its descriptor.

#include "foundation/output_place.h"

#include "foundation/process_user.h"

#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace nophook {

namespace {

constexpr int kMostLinks = 40; // the kernel's limit

// Whether the user has become root by sudo: then links in the home folder, which lead to other
// disks, are the user's own.
bool has_become_root(uid_t user) {
  const char *text = std::getenv("SUDO_UID");
  return text && fmt::format("{}", user) == text;
}

// Whether root follows this user's links. In a user namespace the machine's root may have no
// number: its links have the owner of /.
bool is_trusted(uid_t user, const FileDescriptor &folder) {
  const uid_t us = ::geteuid();
  struct stat about;
  if (us == 0)
    return user == us || has_become_root(user) ||
           (::stat("/", &about) == 0 && user == about.st_uid);
  constexpr mode_t kOfAll = S_ISVTX | S_IWOTH;
  return user == us || (::fstat(folder.get(), &about) == 0 &&
                        ((about.st_mode & kOfAll) != kOfAll || user == about.st_uid));
}

bool is_of_proc(const FileDescriptor &file) {
  struct statfs about;
  return ::fstatfs(file.get(), &about) == 0 && about.f_type == PROC_SUPER_MAGIC;
}

FileDescriptor open_folder(int at, const char *name) {
  return FileDescriptor(::openat(at, name, O_PATH | O_DIRECTORY | O_CLOEXEC));
}

// Removes the first name from a path, and returns it.
std::string take_name(std::string *path) {
  path->erase(0, path->find_first_not_of('/'));
  const std::string name = path->substr(0, path->find('/'));
  path->erase(0, name.size());
  return name;
}

} // namespace

Result<OutputPlace> OutputPlace::find(const std::string &path, const char *refused, LastLink last) {
  OutputPlace place;
  std::string rest = path;
  place.folder_ = open_folder(AT_FDCWD, rest.starts_with('/') ? "/" : ".");
  for (int links = 0; place.folder_.valid();) {
    place.name_ = take_name(&rest);
    const bool is_last = rest.empty();
    FileDescriptor next(
        ::openat(place.folder(), place.name_.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat about = {};
    if (is_last && (!next.valid() || last == LastLink::kIsReplaced))
      return place;
    if (!next.valid() || ::fstat(next.get(), &about) != 0)
      break;
    if (S_ISLNK(about.st_mode) && !is_trusted(about.st_uid, place.folder_))
      return error_at(path, fmt::format("{} is a link of user {}, which is not followed: name the "
                                        "file itself",
                                        printable(place.name_), user_name(about.st_uid)));
    if (S_ISLNK(about.st_mode) && is_of_proc(next)) {
      place.is_open_file_ = is_last;
      if (is_last)
        return place;
      next = open_folder(place.folder(), place.name_.c_str());
    } else if (S_ISLNK(about.st_mode)) {
      char target[PATH_MAX];
      const ssize_t bytes = ::readlinkat(next.get(), "", target, sizeof target);
      if (bytes <= 0 || ++links > kMostLinks) {
        errno = bytes <= 0 ? ENOENT : ELOOP;
        break;
      }
      rest.insert(0, target, (size_t)bytes);
      if (rest.starts_with('/'))
        place.folder_ = open_folder(AT_FDCWD, "/");
      continue;
    } else if (is_last) {
      return place;
    }
    place.folder_ = std::move(next);
  }
  return system_error(path, refused);
}

} // namespace nophook
