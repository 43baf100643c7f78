// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source of a recorder's buffers: a folder of its own, or one that others use as well.

#pragma once

#include <string>
#include <vector>

namespace nophook {

class BufferSource {
public:
  virtual ~BufferSource() = default;

  // Becomes readable when there may be a new buffer; -1: only a look shows one.
  virtual int watch() const = 0;

  // Paths of the *.buf files that are to be recorded and have come since the last call.
  virtual std::vector<std::string> new_buffers() = 0;

  // All of it has been taken. `gone`: no thread writes to it any more.
  virtual void done_with(const std::string &buffer, bool gone) = 0;
};

} // namespace nophook
