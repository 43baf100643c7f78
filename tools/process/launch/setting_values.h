// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wrong values of settings, found before a program is started with them.
//
// The runtime ignores a wrong value and reports it in one line, since the program must run. For
// `nophook record`, this is too late: the program runs without the setting, and an earlier
// recording is replaced. So the command knows the values that each setting takes. Values that
// depend on the program or the machine, such as names of functions, are left to the runtime. The
// sentences are the runtime's: test/tools/record/values.c compares them, and the lists and limits
// in them.

#pragma once

#include <string>
#include <string_view>

namespace nophook {

// The error for a value of a setting, or of a control file instances/NAME/FILE; empty if it is
// valid, or if only the runtime knows.
std::string wrong_value(std::string_view setting, std::string_view value);

} // namespace nophook
