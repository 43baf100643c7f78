// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that another program makes shorter while the command has it mapped: a load from the
// missing part is a SIGBUS, which ended the command without a word. A look at the size before each
// load would not help, since the file may shrink behind it. So the mappings are known here, and the
// handler of that signal prints the file's name and ends the command with an error.

#pragma once

#include <cstdint>
#include <string>

namespace nophook {

// Installs the handler, in main(), before anything is mapped.
void report_shrunken_files();

// Sets the file name that the message has for an address in the mapping, until that is forgotten.
void know_mapping(const std::string &path, const void *at, uint64_t bytes);
void forget_mapping(const void *at);

} // namespace nophook
