// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens a recording, or recovers buffers into a file without a name.

#include "process/drain/open_recording.h"

#include "foundation/file.h"
#include "process/drain/core_file.h"
#include "process/drain/recover.h"

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace nophook {

Result<Recording> open_recording(const std::string &path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error) && !is_buffer(path) && !is_core_file(path))
    return Recording::open(path);
  auto buffers = choose_buffers(path);
  NOPHOOK_TRY(buffers);
  std::string copy = (std::filesystem::temp_directory_path(error) / "nophook-XXXXXX").string();
  FileDescriptor fd(::mkstemp(copy.data()));
  if (!fd.valid())
    return system_error(copy, "cannot be made");
  auto writer = RecordingWriter::create(copy);
  NOPHOOK_TRY(writer);
  auto done = recover(*buffers, *writer);
  auto recording = done ? Recording::open(copy) : Result<Recording>(done.error());
  ::unlink(copy.c_str());
  return recording;
}

} // namespace nophook
