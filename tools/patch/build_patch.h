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
  std::vector<std::string> files; // the program and the libraries; empty: they are searched
  std::string compile_commands;   // a path; empty: it is searched
  std::string directory;          // root of the tree
  std::optional<int32_t> strip;   // the number for patch -p
  bool json = false;
};

// Builds the patch, and prints its contents, or the changes that are refused. The exit status is 1
// if a change is refused.
Result<int> build_patch(const BuildRequest &request);

} // namespace nophook
