// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens folders and their files by descriptors, and takes on the owner's rights for changes.

#include "foundation/checked_folder.h"

#include <filesystem>
#include <fmt/format.h>
#include <grp.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace nophook {

Result<CheckedFolder> CheckedFolder::open(const std::string &path) {
  CheckedFolder folder;
  folder.path_ = path;
  folder.fd_.reset(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct stat about;
  if (!folder.fd_.valid() || ::fstat(folder.fd_.get(), &about) != 0)
    return system_error(path, "cannot be opened");
  folder.owner_ = about.st_uid;
  folder.group_ = about.st_gid;
  folder.is_sticky_ = about.st_mode & S_ISVTX;
  return folder;
}

Result<CheckedFolder> CheckedFolder::of(const std::string &file) {
  const size_t end = file.rfind('/');
  return open(end == std::string::npos ? "." : end ? file.substr(0, end) : "/");
}

std::string CheckedFolder::entry(const std::string &name) const {
  return fmt::format("/proc/self/fd/{}/{}", fd_.get(), name);
}

Result<RegularFile> CheckedFolder::open_file(const std::string &name, int flags) const {
  struct stat about;
  auto file = open_regular_at(fd_.get(), name, flags | O_NOFOLLOW, &about);
  const std::string path = path_ + "/" + name;
  if (!file)
    return error_at(path, file.error().problem);
  const uid_t us = ::geteuid();
  if (about.st_uid != us && about.st_uid != owner_ && !(us == 0 && is_sticky_))
    return error_at(path, "belongs to another user than its folder");
  if (about.st_nlink > 1)
    return error_at(path, "has several names (hard links): it may be another folder's");
  return file;
}

std::string shown_path(const std::string &path) {
  const std::string folder = path.substr(0, path.rfind('/'));
  std::error_code error;
  if (!folder.starts_with("/proc/self/fd/"))
    return path;
  const auto target = std::filesystem::read_symlink(folder, error);
  return error ? path : target.string() + "/" + name_in_folder(path);
}

// Changes the user by the system call: the C library's function changes the groups of all threads.
void AsOwner::become(uid_t user, gid_t group) {
  if (::geteuid() != 0 || user == 0)
    return;
  const int count = ::getgroups(0, nullptr);
  groups_.resize(count > 0 ? (size_t)count : 0);
  if (::getgroups((int)groups_.size(), groups_.data()) < 0)
    groups_.clear();
  is_changed_ = true;
  // Some user namespaces refuse it, whose root has no rights outside of them.
  (void)::syscall(SYS_setgroups, 0, nullptr);
  ::setfsgid(group);
  ::setfsuid(user);
}

AsOwner::AsOwner(const CheckedFolder &folder) {
  become(folder.owner(), folder.group());
}

AsOwner::AsOwner(const CheckedFolder &folder, const struct stat &file) {
  const bool is_roots = folder.owner() == 0;
  become(is_roots ? file.st_uid : folder.owner(), is_roots ? file.st_gid : folder.group());
}

AsOwner::~AsOwner() {
  if (!is_changed_)
    return;
  ::setfsuid(::geteuid());
  ::setfsgid(::getegid());
  // It fails where it failed before.
  (void)::syscall(SYS_setgroups, groups_.size(), groups_.data());
}

} // namespace nophook
