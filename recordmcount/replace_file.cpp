// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "replace_file.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <sys/stat.h>
#include <unistd.h>

namespace nophook {
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

// The owner changes first: that takes set-user-ID bits away. It is refused to most users, and
// then the file is theirs, as with any other tool.
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
  struct stat attributes;
  if (::stat(like.str().c_str(), &attributes) != 0)
    return problem(like, "cannot be read", last_error());
  llvm::SmallString<128> target(path);
  if (llvm::SmallString<128> real; !llvm::sys::fs::real_path(path, real))
    target = real;
  auto temporary = llvm::sys::fs::TempFile::create(target + ".recordmcount-%%%%%%%%", 0600);
  if (!temporary)
    return problem(path, "no file can be written beside it",
                   llvm::errorToErrorCode(temporary.takeError()));
  std::error_code code = fill(temporary->FD, bytes, options.fsync);
  if (!code)
    code = take_attributes(temporary->FD, attributes, options.keep_times);
  if (code) {
    llvm::consumeError(temporary->discard());
    return problem(path, "cannot be written", code);
  }
  if (Error error = temporary->keep(target))
    return problem(path, "cannot be replaced", llvm::errorToErrorCode(std::move(error)));
  return Error::success();
}

} // namespace nophook
