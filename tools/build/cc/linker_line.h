// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of a linker: its output, and the words that are objects and archives.
//
// GNU ld and lld have some hundred options each, and a table of them would be wrong for the next
// version. Only a few facts are needed. A word is an input if it is no option, if no option in
// front of it takes it, and if the file begins as an object or an archive does. Only options that
// can take such a file are known by name: the output above all, which may be there from the last
// link. Files behind `-b binary` are data, whatever is in them.

#pragma once

#include "build/cc/command_line.h"

#include <string>
#include <vector>

namespace nophook {

struct LinkerInput {
  size_t word; // number of its word
  std::string path;
  bool is_archive;
  bool is_thin;
};

struct LinkerLine {
  CommandLine line;               // facts for flags_for()
  std::vector<std::string> words; // words, with the contents of response files in their place
  std::vector<LinkerInput> inputs;
  bool has_response_file = false;
};

// `linker`: path of the one that will run. -lNAME is an input if one of the folders that -L names
// has it as an archive, and the linker would take this one.
LinkerLine read_linker_line(const std::vector<std::string> &arguments, const std::string &linker);

// The kind of a linker. gold and mold, which read no linker script of our kind, are known by their
// names.
Linker linker_of(const std::string &path);

} // namespace nophook
