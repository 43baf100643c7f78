// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads piece by piece. A pipe without events is asked again after a pause.

#include "process/control/print_file.h"

#include "foundation/identity.h"
#include "foundation/process.h"

#include <csignal>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace nophook {

namespace {

constexpr size_t kPortion = 128 << 10;
constexpr std::chrono::milliseconds kPause(10); // between two looks while there is nothing to read

} // namespace

Result<> print_file(ControlTree &tree, const std::string &path) {
  std::signal(SIGPIPE, SIG_IGN);
  std::unique_ptr<TreeFile> file;
  int64_t result = tree.open(path, O_RDONLY, &file);
  std::string part;
  for (uint64_t offset = 0; result >= 0; offset += (uint64_t)result) {
    result = file->read(offset, kPortion, true, &part);
    if (result == 0)
      return {};
    if (result == -EAGAIN) {
      if (process_is_gone(tree.pid()))
        return {};
      std::this_thread::sleep_for(kPause);
      result = 0;
    } else if (result > 0 && !write_all(STDOUT_FILENO, part.data(), part.size())) {
      if (errno == EPIPE)
        return {};
      return system_error("standard output", "cannot be written");
    }
  }
  return error_at(path, std::strerror((int)-result));
}

Result<> clear_trace(ControlTree &tree, const std::string &path) {
  std::unique_ptr<TreeFile> trace;
  int64_t result = tree.open(path, O_WRONLY | O_TRUNC, &trace);
  if (result < 0)
    return error_at(path, std::strerror((int)-result));
  return {};
}

} // namespace nophook
