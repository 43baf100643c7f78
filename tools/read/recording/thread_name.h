// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of a thread whose own name was not seen. A thread begins with the name of the thread
// that makes it, so the program's name is the best guess. It stands in parentheses, so that it is
// not taken for the thread's own.

#pragma once

#include <cstring>
#include <string>
#include <string_view>

namespace nophook {

constexpr size_t kThreadNameBytes = 16;

inline std::string name_of_program(std::string_view program) {
  return "(" + std::string(program.substr(0, kThreadNameBytes - 2)) + ")";
}

// Fills a field of a header, which need not end in a 0.
inline void put_thread_name(std::string_view name, char (&field)[kThreadNameBytes]) {
  std::memset(field, 0, sizeof field);
  std::memcpy(field, name.data(), name.size() < sizeof field ? name.size() : sizeof field);
}

} // namespace nophook
