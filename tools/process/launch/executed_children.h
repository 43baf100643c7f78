// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that a recorded process, or a child of its, executes.
//
// A fork child shares its parent's buffer folder and session. The program that it executes has
// neither, unless it serves as its parent does: the recorder sees no buffer, and a recording of
// nginx or sshd would silently lack half of it. So the children of the followed processes are
// looked at in /proc. That takes 20 us for each process with one thread, and at most 1 % of a CPU.
// A program that begins and ends between two looks is not seen.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace nophook {

class ExecutedChildren {
public:
  // Follows this process, and children that it makes from now on, or all. `folder`: the folder of
  // its buffer.
  ExecutedChildren(int32_t pid, std::string folder, bool with_living);

  // The processes that execute another program than at the last look and are not recorded. May be
  // called at any rate.
  std::vector<int32_t> look_if_due();

private:
  using Clock = std::chrono::steady_clock;
  struct Known {
    uint64_t begun = 0, environment = 0; // as in ProcessStatus
    bool is_followed = false;
    bool is_new = false; // it has executed a program, and may still make its buffer
  };
  static Known known_now(int32_t pid, bool is_followed);
  // False: it is gone.
  bool look_at(int32_t pid, Known *known, std::vector<int32_t> *executed) const;
  void look_for_children(int32_t pid, const Known &parent, std::vector<int32_t> *family);
  bool is_recorded(int32_t pid) const;

  const std::string folder_;
  std::unordered_map<int32_t, Known> known_;
  Clock::time_point due_;
};

} // namespace nophook
