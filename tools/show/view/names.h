// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and values of a recording for several threads at once.

#pragma once

#include "read/symbols/functions.h"
#include "show/view/index.h"

namespace nophook {

class ViewNames {
public:
  explicit ViewNames(const Recording &recording) : functions_(recording, NameStyle::kLinked) {}

  struct Name {
    std::string readable; // as NameStyle::kShort
    std::string full;
    std::string module;
  };

  uint64_t key(uint32_t process, uint32_t id);
  // The names of the functions with the numbers [first, numbers.all().size()).
  std::vector<Name> names(const FunctionNumbers &numbers, size_t first);
  std::string source(const FunctionNumbers::Function &function);
  std::vector<std::string> arguments(uint32_t process, const Step &step);
  std::string result(uint32_t process, const Step &step);
  std::vector<std::string> notes();

private:
  std::mutex lock_;
  Functions functions_;
};

} // namespace nophook
