// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some of LLVM's readers of objects and debug information end the program at impossible bytes: a
// relocation of a missing section, a symbol behind the table's end. They print "LLVM ERROR" without
// the file's name, and dump core. Here that end is an error about the file.

#pragma once

#include <string>

namespace nophook {

// Installs the handler; called once, in main().
void report_damaged_files();

// Sets the name of the file that the calling thread reads by LLVM from now on.
void name_read_file(const std::string &path);

} // namespace nophook
