// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/old_recording.h"

#include "base/created_file.h"
#include "base/identity.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

Result<OldRecording> OldRecording::keep(const std::string &path) {
  OldRecording old;
  std::error_code error;
  NOPHOOK_TRY(check_output(path)); // a link's target is moved aside, too
  std::string target = std::filesystem::canonical(path, error).string();
  struct stat st;
  if (error || ::stat(target.c_str(), &st) != 0) {
    if (::lstat(path.c_str(), &st) != 0)
      old.path_ = path; // there is none: nor will there be, if nothing comes of it
    return old;
  }
  if (!S_ISREG(st.st_mode) || st.st_size == 0)
    return old;
  std::string kept = fmt::format("{}.old.{}", target, own_number());
  if (::rename(target.c_str(), kept.c_str()) != 0)
    return system_error(path, "the existing recording cannot be kept");
  old.path_ = target;
  old.kept_ = kept;
  return old;
}

void OldRecording::is_replaced() {
  if (!path_.empty() && !kept_.empty())
    // Refused, it stays under the name that it has now.
    (void)!::rename(kept_.c_str(), (path_ + ".old").c_str());
  path_.clear();
}

OldRecording::~OldRecording() {
  if (path_.empty())
    return;
  ::unlink(path_.c_str());
  if (!kept_.empty())
    // Refused, it stays under the name that it has now.
    (void)!::rename(kept_.c_str(), path_.c_str());
}

} // namespace nophook
