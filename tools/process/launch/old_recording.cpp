// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Renames the file in its folder, and renames it back if the new recording is not made.

#include "process/launch/old_recording.h"

#include "foundation/identity.h"

#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

namespace {

void rename_in(const OutputPlace &place, const std::string &from, const std::string &to) {
  // If this fails, the file keeps the name that it has.
  (void)!::renameat(place.folder(), from.c_str(), place.folder(), to.c_str());
}

} // namespace

// A link's target is moved aside, too.
Result<OldRecording> OldRecording::keep(const std::string &path) {
  OldRecording old;
  auto place = OutputPlace::find(path, "cannot be written");
  NOPHOOK_TRY(place);
  const int folder = place->folder();
  const std::string &name = place->name();
  struct stat st;
  if (place->is_open_file())
    return old;
  if (::fstatat(folder, name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) {
    old.place_ = std::move(*place); // there is no file, also in the end if the new one fails
    return old;
  }
  if (!S_ISREG(st.st_mode) || st.st_size == 0)
    return old;
  old.kept_ = fmt::format("{}.old.{}", name, own_number());
  if (::renameat(folder, name.c_str(), folder, old.kept_.c_str()) != 0)
    return system_error(path, "the existing recording cannot be kept");
  old.place_ = std::move(*place);
  return old;
}

void OldRecording::is_replaced() {
  if (place_ && !kept_.empty())
    rename_in(*place_, kept_, place_->name() + ".old");
  place_.reset();
}

OldRecording::~OldRecording() {
  if (!place_)
    return;
  ::unlinkat(place_->folder(), place_->name().c_str(), 0);
  if (!kept_.empty())
    rename_in(*place_, kept_, place_->name());
}

} // namespace nophook
