// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses /proc/PID/maps.

#include "process/stop/process_map.h"

#include "foundation/installation.h"
#include "foundation/regular_file.h"
#include "process/stop/stopped_thread.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>

namespace nophook {
namespace {

// The installed runtime, if its first page is the mapping's: that page has the build id.
FileDescriptor installed_copy(int32_t pid, const MappedRange &range) {
  constexpr size_t kPage = 4096;
  uint8_t theirs[kPage], ours[kPage];
  const auto path = find_runtime();
  FileDescriptor file(path ? ::open(path->c_str(), O_RDONLY | O_CLOEXEC) : -1);
  const ProcessMap map = ProcessMap::read(pid);
  for (const MappedRange &first : map.all())
    if (first.inode == range.inode && first.name == range.name && first.offset == 0 &&
        file.valid() && read_memory(pid, first.start, theirs, kPage) &&
        read_all_at(file.get(), 0, ours, kPage) && std::memcmp(theirs, ours, kPage) == 0)
      return file;
  return {};
}

} // namespace

FileDescriptor open_mapped(int32_t pid, const MappedRange &range) {
  const std::string proc = fmt::format("/proc/{}/", pid);
  FileDescriptor file(
      ::open(fmt::format("{}map_files/{:x}-{:x}", proc, range.start, range.end).c_str(),
             O_RDONLY | O_CLOEXEC));
  if (file.valid())
    return file;
  // The name is a path as the process sees it; a path below another root is shown as we see it.
  for (const std::string &path : {proc + "root" + range.name, range.name}) {
    struct stat status;
    auto found = open_regular_at(AT_FDCWD, path, O_RDONLY, &status);
    if (found && status.st_ino == range.inode)
      return std::move(found->fd);
  }
  return range.name == kPassedFile ? installed_copy(pid, range) : std::move(file);
}

ProcessMap ProcessMap::read(int32_t pid) {
  ProcessMap map;
  std::ifstream file(fmt::format("/proc/{}/maps", pid));
  for (std::string line; std::getline(file, line);) {
    MappedRange range = {};
    char rights[5] = {};
    int name = 0;
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*x:%*x %" SCNu64 " %n",
                    &range.start, &range.end, rights, &range.offset, &range.inode, &name) < 5)
      continue;
    range.is_writable = rights[1] == 'w';
    range.is_executable = rights[2] == 'x';
    range.name = line.substr((size_t)name);
    map.ranges_.push_back(range);
  }
  return map;
}

const MappedRange *ProcessMap::find(uint64_t address) const {
  auto behind = std::ranges::upper_bound(ranges_, address, {}, &MappedRange::start);
  if (behind == ranges_.begin() || address >= std::prev(behind)->end)
    return nullptr;
  return &*std::prev(behind);
}

std::vector<MappedRange> ProcessMap::code() const {
  std::vector<MappedRange> code;
  std::ranges::copy_if(ranges_, std::back_inserter(code), &MappedRange::is_executable);
  return code;
}

} // namespace nophook
