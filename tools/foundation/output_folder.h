// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder that a library makes and fills, by its path alone. Another user who owns the folder
// around it could put a link in its place, through which root would write. So the library works in
// a folder of ours that is held open, and the result gets its name when it is whole.

#pragma once

#include "foundation/output_place.h"

#include <string>
#include <utility>

namespace nophook {

class OutputFolder {
public:
  // Makes the folder. Errors: there is something of that name already, or no folder can be made.
  static Result<OutputFolder> create(const std::string &path);

  OutputFolder(OutputFolder &&other) noexcept
      : path_(std::move(other.path_)), place_(std::move(other.place_)),
        around_(std::move(other.around_)), around_name_(std::exchange(other.around_name_, "")),
        unfinished_(std::move(other.unfinished_)) {}
  OutputFolder &operator=(OutputFolder &&) = delete;
  ~OutputFolder(); // removes everything, unless finish() was called

  // The path for the library, which does not exist yet.
  const std::string &unfinished() const { return unfinished_; }
  Result<> finish();

private:
  OutputFolder() = default;

  std::string path_; // path for messages
  OutputPlace place_;
  FileDescriptor around_;
  std::string around_name_; // name of the folder to remove; empty: none
  std::string unfinished_;
};

} // namespace nophook
