// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about the functions of a unit that the compiler knows, and the unit's object does not show.

#pragma once

#include "foundation/result.h"

#include <map>
#include <string>
#include <vector>

namespace nophook {

// The reason why a thread may stay in a function for ever, or for long. A thread that stays in an
// old version keeps a live patch in transition, and one that stays in a new version keeps it from
// being reverted.
struct FunctionStay {
  enum class Kind { kNone, kEndless, kWaits };
  Kind kind = Kind::kNone;
  std::string callee; // it never returns, or it waits; empty: a loop has no way out
};

// The facts, by linked name of a function.
struct CompilerFacts {
  std::map<std::string, FunctionStay> stays;
  std::map<std::string, std::string> conventions; // the optimizer's choices: "i32 (i32)"
  // The callers that have the call in a loop in their source, and in front of the loop in their
  // code.
  std::map<std::string, std::vector<std::string>> hoisting_callers;
};

// Reads the file that the plugin's option facts= has written (llvm-pass/README.md). Lines of other
// forms are ignored, and so is a missing file: the unit was not compiled with the plugin.
CompilerFacts read_compiler_facts(const std::string &path);

// "endless" and "waits"; empty for kNone.
std::string name_of(FunctionStay::Kind kind);

// A text about a thread in the function: "it calls serve, which never returns".
std::string text_of(const FunctionStay &stay);

} // namespace nophook
