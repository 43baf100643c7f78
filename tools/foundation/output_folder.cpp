// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the unfinished folder, and renames or removes it.

#include "foundation/output_folder.h"

#include "foundation/identity.h"

#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

namespace {

constexpr const char *kRefused = "cannot be created";
constexpr const char *kName = "folder";

} // namespace

Result<OutputFolder> OutputFolder::create(const std::string &path) {
  OutputFolder made;
  made.path_ = path;
  // Without the slash of `folder/`.
  const std::string name = path.substr(0, path.find_last_not_of('/') + 1);
  auto place = OutputPlace::find(name, kRefused, OutputPlace::LastLink::kIsReplaced);
  NOPHOOK_TRY(place);
  made.place_ = std::move(*place);
  const std::string around = fmt::format("{}.{}", made.place_.name(), own_number());
  if (::mkdirat(made.place_.folder(), around.c_str(), 0700) != 0)
    return system_error(path, kRefused);
  made.around_name_ = around;
  made.around_.reset(::openat(made.place_.folder(), around.c_str(),
                              O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat about;
  if (!made.around_.valid() || ::fstat(made.around_.get(), &about) != 0)
    return system_error(path, kRefused);
  if (about.st_uid != ::geteuid())
    return error_at(path, "cannot be created: another user has exchanged the folder");
  made.unfinished_ = fmt::format("/proc/self/fd/{}/{}", made.around_.get(), kName);
  return made;
}

Result<> OutputFolder::finish() {
  if (::renameat2(around_.get(), kName, place_.folder(), place_.name().c_str(), RENAME_NOREPLACE) !=
      0)
    return system_error(path_, kRefused);
  return {};
}

OutputFolder::~OutputFolder() {
  if (around_name_.empty())
    return;
  std::error_code ignored;
  if (!unfinished_.empty())
    std::filesystem::remove_all(unfinished_, ignored);
  ::unlinkat(place_.folder(), around_name_.c_str(), AT_REMOVEDIR);
}

} // namespace nophook
