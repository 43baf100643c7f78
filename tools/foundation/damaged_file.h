// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some of LLVM's readers of objects and debug information end the program at bytes that cannot be:
// a relocation's section that is none, a symbol behind the table's end. They print "LLVM ERROR"
// without the file's name, and dump core. Here that end is an error about the file.

#pragma once

#include <string>

namespace nophook {

// In main(), once.
void report_damaged_files();

// The file that the calling thread reads from now on by LLVM.
void name_read_file(const std::string &path);

} // namespace nophook
