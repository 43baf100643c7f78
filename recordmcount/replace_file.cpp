// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "replace_file.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook::recordmcount {
namespace {

using llvm::Error;

Error problem(const llvm::Twine &path, llvm::StringRef action, std::error_code code) {
  return llvm::createStringError(code, path + ": " + action + ": " + code.message());
}

std::error_code last_error() {
  return {errno, std::generic_category()};
}

std::error_code fill(int fd, llvm::StringRef bytes, bool sync) {
  llvm::raw_fd_ostream out(fd, /*shouldClose=*/false, /*unbuffered=*/true);
  out << bytes;
  if (out.has_error()) {
    const std::error_code code = out.error();
    out.clear_error();
    return code;
  }
  if (sync && ::fsync(fd) != 0)
    return last_error();
  return {};
}

// Sets the attributes of `from`. The owner changes first, as that takes set-user-ID bits away. It
// is refused to most users, and then the file is theirs, as with any other tool.
std::error_code take_attributes(int fd, const struct stat &from, bool times) {
  if (::fchown(fd, from.st_uid, from.st_gid) != 0) {
    // not ours to give away
  }
  if (::fchmod(fd, from.st_mode & 07777) != 0)
    return last_error();
  const struct timespec both[2] = {from.st_atim, from.st_mtim};
  if (times && ::futimens(fd, both) != 0)
    return last_error();
  return {};
}

} // namespace

Error replace_file(llvm::StringRef path, llvm::StringRef like, llvm::StringRef bytes,
                   ReplaceOptions options) {
  struct stat attributes, own;
  if (::stat(like.str().c_str(), &attributes) != 0)
    return problem(like, "cannot be read", last_error());
  llvm::SmallString<128> target(path);
  if (::lstat(target.c_str(), &own) == 0 && S_ISLNK(own.st_mode))
    if (llvm::SmallString<128> real; !llvm::sys::fs::real_path(path, real))
      target = real;
  // LLVM's TempFile keeps a list of all files that it ever had and walks it for each: interrupt.h
  // keeps temporary files from staying behind.
  std::string temporary = (target + ".recordmcount-XXXXXX").str();
  const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0)
    return problem(path, "no file can be written beside it", last_error());
  std::error_code code = fill(fd, bytes, options.fsync);
  if (!code)
    code = take_attributes(fd, attributes, options.keep_times);
  if (::close(fd) != 0 && !code)
    code = last_error();
  if (!code && ::rename(temporary.c_str(), target.c_str()) != 0)
    code = last_error();
  if (!code)
    return Error::success();
  ::unlink(temporary.c_str());
  return problem(path, "cannot be written", code);
}

} // namespace nophook::recordmcount
