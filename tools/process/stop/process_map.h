// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that another process has mapped, by /proc/PID/maps.

#pragma once

#include "foundation/file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nophook {

struct MappedRange {
  uint64_t start, end;
  bool is_executable, is_writable;
  uint64_t offset; // offset in the file
  uint64_t inode;
  std::string name; // a file's path, or a kernel's name such as [stack]

  bool operator==(const MappedRange &) const = default;
};

// The mapped file, even if another one of its name has replaced it: root may open it (map_files);
// for other users the file must have the mapping's inode. A memory file that nophook has passed to
// the process is the installed runtime, if it begins like that. Not valid: it cannot be opened.
FileDescriptor open_mapped(int32_t pid, const MappedRange &range);

// The name of such a memory file, as in maps.
inline constexpr char kPassedFile[] = "/memfd:libnophook.so (deleted)";

class ProcessMap {
public:
  // Empty: the process is gone, or may not be read.
  static ProcessMap read(int32_t pid);

  const MappedRange *find(uint64_t address) const; // null: nothing is mapped there
  // The mapped code: a change shows that the process has loaded or unloaded some.
  std::vector<MappedRange> code() const;
  bool empty() const { return ranges_.empty(); }
  const std::vector<MappedRange> &all() const { return ranges_; } // ascending

private:
  std::vector<MappedRange> ranges_;
};

} // namespace nophook
