// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parents of processes, and whether processes have executed another program, by /proc.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nophook {

// The contents of /proc/PID/stat.
struct ProcessStatus {
  char state = 0; // 0: it is gone
  int32_t parent = 0;
  uint64_t begun = 0;       // time of the fork
  uint64_t environment = 0; // where it begins in memory: execve() moves it. 0: execve() is at work,
                            // or it is not ours to know

  static ProcessStatus of(int32_t pid);
  bool is_alive() const { return state && state != 'Z' && state != 'X'; }
};

// The numbers in a folder of /proc.
std::vector<int32_t> numbers_in(const std::string &path);

// The children of the process that live, by the threads that have forked them.
std::vector<int32_t> children_of(int32_t pid);

} // namespace nophook
