// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "input_file.h"

#include "llvm/Support/FileSystem.h"

namespace nophook::recordmcount {

std::string input_problem(const std::string &path) {
  constexpr uint64_t kMostBytes = uint64_t{4} << 30;
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return "cannot be read: " + error.message();
  if (!llvm::sys::fs::is_regular_file(status))
    return "is not a regular file";
  return status.getSize() > kMostBytes ? "is larger than 4 GiB" : "";
}

} // namespace nophook::recordmcount
