// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernel tells of another process. All answers may be out of date when they come.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nophook {

// Whether no thread of the process runs any more, be it a zombie or not there.
bool process_is_gone(int32_t pid);

bool thread_is_gone(int32_t pid, int32_t tid);

// The words that it was started with, or has put there. Empty: it is gone, or has none.
std::vector<std::string> command_line(int32_t pid);

// The same as one line for people.
std::string command_text(int32_t pid);

} // namespace nophook
