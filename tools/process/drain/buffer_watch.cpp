// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits for renames by inotify, and lists the folder.

#include "process/drain/buffer_watch.h"

#include "process/drain/buffer_file.h"

#include <algorithm>
#include <filesystem>
#include <sys/inotify.h>
#include <unistd.h>
#include <utility>

namespace nophook {

Result<> BufferWatch::start_inotify() {
  FileDescriptor watch(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!watch.valid() || inotify_add_watch(watch.get(), folder_.c_str(), IN_MOVED_TO) < 0)
    return system_error(folder_, "cannot be watched");
  watch_ = std::move(watch);
  must_list_ = true; // for buffers made before the watch
  return {};
}

std::vector<std::string> BufferWatch::new_buffers() {
  char events[4096];
  bool changed = !watch_.valid() || std::exchange(must_list_, false);
  while (watch_.valid() && ::read(watch_.get(), events, sizeof events) > 0)
    changed = true;
  std::vector<std::string> found;
  if (!changed)
    return found;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder_, error), end; !error && at != end;
       at.increment(error)) {
    std::string path = at->path().string();
    if (at->path().extension() == kBufferSuffix && instance_of_buffer(path).empty() &&
        known_.insert(path).second)
      found.push_back(path);
  }
  std::ranges::sort(found); // by process, then by time: PID-STAMP
  return found;
}

} // namespace nophook
