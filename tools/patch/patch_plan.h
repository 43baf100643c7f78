// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where everything that the new code uses shall live: in the patch, or in the program that runs.
//
// The objects of the two versions decide, not the sources. A function is taken if its code differs,
// for whatever reason: then what the optimizer has inlined, or concluded of other functions, needs
// no thought. What is equal in both stays in the program, and the patch uses it there.

#pragma once

#include "patch/byte_check.h"
#include "patch/compiler_facts.h"
#include "patch/debug_facts.h"
#include "patch/object_diff.h"
#include "patch/old_file.h"
#include "patch/unit_compile.h"

#include <optional>

namespace nophook {

// A unit of the build, compiled from both versions.
struct UnitVersions {
  Unit unit;
  std::string name;            // for messages
  ObjectSymbols own;           // the old version with the build's flags and no others
  ObjectItems before, after;   // with a section for each function and variable
  ObjectSymbols after_symbols; // of the same object
  DebugFacts old_facts, new_facts;
  CompilerFacts old_compiler, new_compiler;
  ObjectDifference difference;
};

// A unit whose functions a file has. One that is linked into several files is placed in each.
struct PlacedUnit {
  const OldFile *file = nullptr;
  const UnitVersions *versions = nullptr;
  std::optional<uint32_t> group; // of its local symbols in the file
};

struct PlannedFunction {
  std::string name;                 // as linked in the old file
  uint32_t position = 0;            // among several of the name
  std::string glue;                 // the symbol of the new one
  std::vector<std::string> because; // functions inlined into it that the diff changes; or empty
  bool is_changed_itself = false;   // the diff has lines of it
  bool is_main = false;             // which runs once, and as long as the program
  FunctionStay old_stay, new_stay;  // of a thread in that version
};

struct UnitPlan {
  const OldFile *file = nullptr;
  const UnitVersions *versions = nullptr;
  std::string list; // for the plugin's extract=
  std::vector<PlannedFunction> functions;
  std::vector<std::string> added; // functions and variables that only the new version has
};

struct PatchPlan {
  std::vector<UnitPlan> units; // those that something is taken from
  struct Refusal {
    std::string unit, name, reason;
  };
  std::vector<Refusal> refused;
  std::vector<std::string> notes; // what the user should know; a line each
};

// `compiled` are all units that the diff may change, also those that are the same in both versions;
// `units` are some of them. `changed_functions` are the linked names of those that the diff has
// lines of.
PatchPlan make_plan(const std::vector<PlacedUnit> &units, const std::vector<UnitVersions> &compiled,
                    const std::set<std::string> &changed_functions);

} // namespace nophook
