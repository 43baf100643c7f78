// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of recordmcount. CLI11 takes seconds to compile: arguments.cpp alone includes
// it.

#pragma once

#include "record.h"

#include <optional>
#include <string>
#include <vector>

namespace nophook::recordmcount {

struct Arguments {
  std::vector<std::string> files;
  std::string output;
  unsigned jobs = 0;
  bool dry_run = false, verbose = false, quiet = false, fsync = false, sort = false;
  RecordOptions record;
};

// Parses the command line. Returns the exit status if there is nothing to do: help or an error was
// printed.
std::optional<int> parse(int argc, char **argv, Arguments *arguments);

} // namespace nophook::recordmcount
