// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts of debug info about a function: whether it has code of its own, and where it was
// inlined.

#pragma once

#include "read/symbols/elf_image.h"

#include <functional>

namespace nophook {

struct DebugFunction {
  std::string name; // name with parameters, printable
  bool has_code = false;
  std::vector<std::string> inlined_into; // for each inlined call, the function that it is in
  std::string unit;                      // the compiled file of its code, if it has any
  std::vector<uint64_t> unit_code;       // addresses of that file's functions
};

// Finds all functions whose name (the linked one if there is one) is wanted. Empty without debug
// info.
std::vector<DebugFunction> find_debug_functions(const ElfImage &image,
                                                const std::function<bool(const char *)> &wanted);

} // namespace nophook
