// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts that grow side by side and are written one behind the other.
//
// A format may want all of one thread before the next, or a list of all times before one of all
// stacks, but steps come mixed. Each such list is a column: full blocks of it go to a file without
// a name and are copied from there at the end, so that the memory is one block for each column.

#pragma once

#include "foundation/output.h"

#include <cstdio>
#include <string_view>
#include <vector>

namespace nophook {

class Spool {
public:
  class Column {
  public:
    bool is_empty() const { return text_.empty() && blocks_.empty(); }

  private:
    friend class Spool;
    struct Block {
      off_t offset;
      size_t bytes;
    };
    std::string text_; // text that is not in a block yet
    std::vector<Block> blocks_;
  };

  Spool() = default;
  Spool(const Spool &) = delete;
  Spool &operator=(const Spool &) = delete;
  ~Spool() {
    if (file_)
      std::fclose(file_);
  }

  // Creates the file. Must be called first.
  Result<> open();
  Result<> add(Column *column, std::string_view text);
  // Adds an element of a list: with a comma in front, if it is not the first one.
  Result<> add_element(Column *column, std::string_view text);
  Result<> copy(const Column &column, Output *output);

private:
  static constexpr size_t kBlockBytes = 8 << 10;

  std::FILE *file_ = nullptr;
};

} // namespace nophook
