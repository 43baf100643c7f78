// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook patch build: from a diff of the sources to the library of a live patch.

#pragma once

#include "foundation/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nophook {

struct BuildRequest {
  std::string diff;
  std::string output;
  std::vector<std::string> files; // the program and the libraries; empty: they are looked for
  std::string compile_commands;   // empty: likewise
  std::string directory;          // of the tree
  std::optional<int32_t> strip;   // patch -p
  bool json = false;
};

// Prints what the patch has, or what is refused. The exit status: 1 if something is.
Result<int> build_patch(const BuildRequest &request);

} // namespace nophook
