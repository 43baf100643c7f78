// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <vector>

namespace nophook::analysis {

// A new section that belongs to a section of code: relocated, linked to it, in its group.
struct Attachment {
  struct Relocation {
    uint64_t offset; // offset in the new section
    uint32_t type;
    uint64_t target; // offset in the section of code
  };
  const char *name;
  uint32_t code; // number of the section that it belongs to
  uint64_t alignment;
  std::vector<uint8_t> bytes;
  std::vector<Relocation> relocations;
};

} // namespace nophook::analysis
