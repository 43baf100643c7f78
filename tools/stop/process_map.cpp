// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stop/process_map.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>

namespace nophook {

FileDescriptor open_mapped(int32_t pid, const MappedRange &range) {
  const std::string proc = fmt::format("/proc/{}/", pid);
  FileDescriptor file(
      ::open(fmt::format("{}map_files/{:x}-{:x}", proc, range.start, range.end).c_str(),
             O_RDONLY | O_CLOEXEC));
  if (file.valid())
    return file;
  file.reset(::open((proc + "root" + range.name).c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status;
  if (file.valid() && (::fstat(file.get(), &status) != 0 || status.st_ino != range.inode))
    file.reset();
  return file;
}

ProcessMap ProcessMap::read(int32_t pid) {
  ProcessMap map;
  std::ifstream file(fmt::format("/proc/{}/maps", pid));
  for (std::string line; std::getline(file, line);) {
    MappedRange range = {};
    char rights[5] = {};
    int name = 0;
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %*x %*x:%*x %" SCNu64 " %n",
                    &range.start, &range.end, rights, &range.inode, &name) < 4)
      continue;
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
