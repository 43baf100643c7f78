// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler knows of the functions of a unit, and its object does not say.

#pragma once

#include "foundation/result.h"

#include <map>
#include <string>
#include <vector>

namespace nophook {

// In which a thread may stay for ever, or for long. A thread that stays in an old version keeps a
// live patch in transition, and one that stays in a new version keeps it from being reverted.
struct FunctionStay {
  enum class Kind { kNone, kEndless, kWaits };
  Kind kind = Kind::kNone;
  std::string callee; // that does not return, or that waits; empty: a loop has no way out
};

// By linked name.
struct CompilerFacts {
  std::map<std::string, FunctionStay> stays;
  std::map<std::string, std::string> conventions; // that the optimizer has chosen: "i32 (i32)"
  // The callers that call it in a loop by their source, and in front of the loop by their code.
  std::map<std::string, std::vector<std::string>> hoisting_callers;
};

// What the plugin's option facts= has written (llvm-pass/README.md). Lines of other forms are
// ignored, and so is a file that is not there: the unit was not compiled with the plugin.
CompilerFacts read_compiler_facts(const std::string &path);

// "endless" and "waits"; empty for kNone.
std::string name_of(FunctionStay::Kind kind);

// What a thread in the function does: "it calls serve, which never returns".
std::string text_of(const FunctionStay &stay);

} // namespace nophook
