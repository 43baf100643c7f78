// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plugin's options, the same for each way to load it.

#ifndef NOPHOOK_LLVM_PASS_OPTIONS_H
#define NOPHOOK_LLVM_PASS_OPTIONS_H

#include "extract_list.h"
#include "function_lists.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <optional>
#include <string>

namespace nophook {

// The place of descriptors and prototypes: the memory of the program; sections that are not loaded
// and move with the debug info; or nowhere.
enum class Descriptors { kOn, kFile, kOff };

// The options; README.md has the table.
struct Options {
  unsigned min_size = 0;
  bool only_exported = false;
  Descriptors descriptors = Descriptors::kOn;
  FunctionLists include;
  FunctionLists exclude;
  std::shared_ptr<const ExtractList> extract; // null: the module stays whole
  std::string facts;                          // path of the file for write_facts(); empty: none
};

// Conversions from `on`, `file` or `off`, and back; nothing for another text.
std::optional<Descriptors> parse_descriptors(llvm::StringRef text);
const char *text_of(Descriptors descriptors);

// Reads a `KEY` or `KEY=VALUE` into `options`, and the file that it may name.
llvm::Error parse_option(llvm::StringRef text, Options &options, llvm::vfs::FileSystem &files);

// The same for pass parameters, the text between < and >: options with `;` between them.
llvm::Error parse_parameters(llvm::StringRef text, Options &options, llvm::vfs::FileSystem &files);

// Writes the text that parse_parameters reads, with < and >; nothing if all options have their
// defaults.
void print_parameters(const Options &options, llvm::raw_ostream &out);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_OPTIONS_H
