// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of objects and archives that went through recordmcount, kept from link to link.
//
// A linker's inputs belong to the build, which may link them again, compare them or check their
// times, so they are never changed. To record each of them for every link takes longer than the
// link. So a copy is kept in a folder whose name is a hash of the content and of recordmcount
// itself: in $XDG_CACHE_HOME/nophook/link, or ~/.cache/nophook/link. An empty folder means that
// recordmcount had nothing to do. The copy has the name of the original: linkers sort by names.
//
// Several links run at once. A folder is made aside and renamed when it is complete, so it is seen
// whole or not at all. Each link holds a shared lock until the linker ends, and only the holder of
// the exclusive lock removes anything: what was not used for the longest time, until the folder is
// below its bound. A killed command leaves a folder aside that the next removal takes along.

#pragma once

#include "build/cc/linker_line.h"
#include "foundation/file.h"

#include <string>
#include <vector>

namespace nophook {

class RecordedObjects {
public:
  // Opens the shared folder. If it cannot be written, a folder of this command's own is used, which
  // remove_own() removes.
  static Result<RecordedObjects> open();

  // The file to link for each input, in their order; the input itself if nothing is to be done.
  // Objects that recordmcount refuses stay as they are, and a line reports it.
  Result<std::vector<std::string>> of(const std::vector<LinkerInput> &inputs);

  // The lock goes on in a program that takes this one's place.
  void keep_lock_in_linker() const;
  bool is_own() const { return is_own_; }
  void remove_own() const;

private:
  struct Wanted;

  Result<> record(const Wanted &wanted) const;
  void shrink() const;

  std::string folder_;
  FileDescriptor lock_;
  bool is_own_ = false; // whether the folder is not shared with other links
};

} // namespace nophook
