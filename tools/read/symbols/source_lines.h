// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places of functions in the sources. LLVM's symbolizer finds them in the debug info of their
// file, or of its debug file. Each address is looked up once.

#pragma once

#include "read/symbols/elf_image.h"

#include <unordered_map>

namespace nophook {

struct SourceLine {
  std::string file; // path as in the compiler's command line, printable; empty: unknown
  uint32_t line = 0;

  std::string_view base() const { // the name without its folders
    return std::string_view(file).substr(file.rfind('/') + 1);
  }
};

class SourceLines {
public:
  explicit SourceLines(const ElfImage &image);
  ~SourceLines();
  SourceLines(const SourceLines &) = delete;
  SourceLines &operator=(const SourceLines &) = delete;

  // The line at which the function of a site begins; `address`: the site's, as linked.
  const SourceLine &at(uint64_t address);

private:
  struct Symbolizer;
  std::unique_ptr<Symbolizer> symbolizer_;
  std::unordered_map<uint64_t, SourceLine> lines_;
};

} // namespace nophook
