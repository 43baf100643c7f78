// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder whose owner is not trusted, and safe access to its files.
//
// Buffers and control sockets lie in a folder of the traced process's user. Root reads and removes
// files there, and leaves some. Between two calls that name the folder by its path, that user may
// put a link to /etc in its place. Then root writes to another folder than the one that it has
// checked, and a user who may not write to a file has root do it. So:
//
//   - the folder is opened once, and everything is done by its descriptor;
//   - a file is opened only if it is a regular file with one name, and belongs to the folder's
//     owner or to us. It is looked at before it is opened: a FIFO would hold us up, and to open a
//     device may be to start it;
//   - changes of the folder are made as its owner, so that they have no effect that the owner could
//     not have.

#pragma once

#include "foundation/regular_file.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace nophook {

class CheckedFolder {
public:
  // A link to the folder is followed: the opened folder counts.
  static Result<CheckedFolder> open(const std::string &path);
  // Opens the folder of a file.
  static Result<CheckedFolder> of(const std::string &file);

  const std::string &path() const { return path_; } // path for messages
  int descriptor() const { return fd_.get(); }
  uid_t owner() const { return owner_; }
  gid_t group() const { return group_; }

  // A path by which an entry is found in this very folder, as long as this object lives.
  std::string entry(const std::string &name) const;

  // `flags`: O_RDONLY or O_RDWR.
  Result<RegularFile> open_file(const std::string &name, int flags) const;

private:
  std::string path_;
  FileDescriptor fd_;
  uid_t owner_ = 0;
  gid_t group_ = 0;
  bool is_sticky_ = false; // whether several users have files in it
};

// While it lives, root's calling thread has a folder's owner's rights over files, and none of its
// own: files that it makes belong to that owner. Nothing, for another user than root.
class AsOwner {
public:
  explicit AsOwner(const CheckedFolder &folder);
  // The rights for files that belong to a file that was found there. In a folder of root's, such as
  // /tmp, these are the rights of that file's owner. Another user can also have put a folder of
  // root's in the place of the one in which the file was found.
  AsOwner(const CheckedFolder &folder, const struct stat &file);
  AsOwner(const AsOwner &) = delete;
  AsOwner &operator=(const AsOwner &) = delete;
  ~AsOwner();

private:
  void become(uid_t user, gid_t group);

  bool is_changed_ = false;
  std::vector<gid_t> groups_; // the command's own groups
};

// The path for messages, of a path that entry() has made.
std::string shown_path(const std::string &path);

// The last part of a path.
inline std::string name_in_folder(const std::string &path) {
  return path.substr(path.rfind('/') + 1);
}

} // namespace nophook
