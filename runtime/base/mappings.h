// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mappings of this process and their rights at this moment. The program may have changed the
// rights that its file gives, without a notice.

#pragma once

#include <stdint.h>

namespace nophook {

struct Mapping {
  uint64_t start;
  uint64_t end;
  int prot; // as mprotect takes it
};

// Asks /proc/self/maps, at the first question. One open file and, where the kernel has
// PROCMAP_QUERY (Linux 6.11), one system call for each mapping: 3 us for the first. Elsewhere the
// text is read up to the address, about 0.4 us a line.
class Mappings {
public:
  Mappings() = default;
  ~Mappings();
  Mappings(const Mappings &) = delete;
  Mappings &operator=(const Mappings &) = delete;

  enum class Answer : uint8_t { kFound, kNone, kUnknown }; // unknown: /proc cannot be read

  // The mapping that `address` lies in, or the next one above it. Quick for rising addresses.
  Answer find(uint64_t address, Mapping *found);

  // Whether memory at [address, address + bytes) can be read, according to /proc. If /proc cannot
  // be read: true.
  bool can_read(uint64_t address, uint64_t bytes);

private:
  bool open();
  bool query(uint64_t address, Mapping *found, bool *is_answer);
  bool next_line(Mapping *line);
  int next_byte();

  long file_ = -1;
  bool has_query_ = true;
  Mapping last_ = {}; // the answer for `asked_`, which holds for addresses up to its end
  uint64_t asked_ = 0;
  uint32_t at_ = 0, end_ = 0; // offsets in text_ of the unread part
  char text_[1024];
};

} // namespace nophook
