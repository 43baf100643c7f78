// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wrong values of settings, found before a program is started with them.
//
// The runtime ignores a wrong value and says so in one line, since the program must run. For
// `nophook record`, this is too late: the program runs without what was asked for, and an earlier
// recording is replaced. So the command knows which values each setting takes. What depends on the
// program or the machine, such as names of functions, is left to the runtime. The sentences are the
// runtime's: test/tools/record/values.c compares them, and the lists and limits in them.

#pragma once

#include <string>
#include <string_view>

namespace nophook {

// What is wrong with a value of a setting, or of a control file instances/NAME/FILE; empty if
// nothing is, or only the runtime knows.
std::string wrong_value(std::string_view setting, std::string_view value);

} // namespace nophook
