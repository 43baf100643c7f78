// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads buffers out of a core file, if there is only the core: it came from another machine, or the
// buffers' folder was in memory and the machine has been restarted.
//
// A buffer is a shared mapping of a file. Linux leaves those out of core files unless bit 3 of
// /proc/PID/coredump_filter was set before the crash. The functions of the ids are in a file beside
// the buffer, which no core contains: it is read from there as long as it exists.

#pragma once

#include "foundation/result.h"

#include <memory>
#include <string>

namespace nophook {

bool is_core_file(const std::string &path);

// A folder that is removed with the last reference to this object.
struct TemporaryFolder {
  explicit TemporaryFolder(std::string folder_path) : path(std::move(folder_path)) {}
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder();

  const std::string path;
};

// Copies of the buffers in a core file. Errors: why there are none.
Result<std::shared_ptr<const TemporaryFolder>> buffers_of_core(const std::string &path);

} // namespace nophook
