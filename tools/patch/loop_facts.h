// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of a unit in which a thread may stay for ever, or for long, as the compiler knows
// them. A thread that stays in an old version keeps a live patch in transition, and one that stays
// in a new version keeps it from being reverted.

#pragma once

#include "base/result.h"

#include <map>
#include <string>

namespace nophook {

struct FunctionStay {
  enum class Kind { kNone, kEndless, kWaits };
  Kind kind = Kind::kNone;
  std::string callee; // that does not return, or that waits; empty: a loop has no way out
};

// By linked name.
using LoopFacts = std::map<std::string, FunctionStay>;

// What the plugin's option loops= has written (llvm-pass/loops.h). Lines of other forms are
// ignored, and so is a file that is not there: the unit was not compiled with the plugin.
LoopFacts read_loop_facts(const std::string &path);

// "endless" and "waits"; empty for kNone.
std::string name_of(FunctionStay::Kind kind);

// What a thread in the function does: "it calls serve, which never returns".
std::string text_of(const FunctionStay &stay);

} // namespace nophook
