// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processes that commands can be used on, whether they serve or not: those that have a file
// with traceable functions loaded.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nophook {

struct InstrumentedProcess {
  enum class State : uint8_t {
    kServes,
    kDormant,   // it has the runtime, and can be woken
    kNoRuntime, // it can be made to load the runtime
  };
  int32_t pid, parent;
  State state;
  std::string folder; // folder of its socket; empty: it does not serve, or in an unknown folder
};
const char *name_of(InstrumentedProcess::State state);

// The instrumented processes that this user may look at, by ascending number.
std::vector<InstrumentedProcess> instrumented_processes();

// The process itself, if it is instrumented, and its instrumented descendants.
std::vector<InstrumentedProcess> with_children(const std::vector<InstrumentedProcess> &all,
                                               int32_t pid);

} // namespace nophook
