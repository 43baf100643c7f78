// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place of an output: a folder that is held open, and a name in it.
//
// Root often works in a folder of another user: `nophook attach` there writes nophook.data, and a
// link of that name to /etc/passwd would make root replace that. A look at the path before its use
// is not enough: that user exchanges a file for a link 100,000 times in a second, and a folder in
// the middle of the path as well. So the path is followed here, link by link, and root follows no
// link of another user. From then on only the folder's descriptor and the name are used, and no
// link of that name is followed. Linux does a part of this in folders such as /tmp
// (fs.protected_symlinks), where it holds for all users, and so it does here.

#pragma once

#include "foundation/file.h"

namespace nophook {

class OutputPlace {
public:
  // The treatment of a link with the last name: it leads on, or is itself replaced.
  enum class LastLink { kLeadsOn, kIsReplaced };

  // Finds the place; the file need not exist. Errors: a folder is missing, which is `refused`, or a
  // link is another user's.
  static Result<OutputPlace> find(const std::string &path, const char *refused,
                                  LastLink last = LastLink::kLeadsOn);

  int folder() const { return folder_.get(); }
  const std::string &name() const { return name_; }
  // Whether the path leads to the kernel's own link to an open file, as /dev/stdout does: it has no
  // other name.
  bool is_open_file() const { return is_open_file_; }

private:
  FileDescriptor folder_;
  std::string name_;
  bool is_open_file_ = false;
};

} // namespace nophook
