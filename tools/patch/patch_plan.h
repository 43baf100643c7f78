// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place of everything that the new code uses: the patch, or the program that runs.
//
// The objects of the two versions decide, not the sources. A function is taken if its code differs,
// for whatever reason: then functions that the optimizer has inlined, and conclusions that it has
// drawn from other functions, need no special care. Items that are equal in both versions stay in
// the program, and the patch uses them there.

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
  ObjectSymbols own;           // the old version with the build's flags only
  ObjectItems before, after;   // with a section for each function and variable
  ObjectSymbols after_symbols; // symbols of the `after` object
  DebugFacts old_facts, new_facts;
  CompilerFacts old_compiler, new_compiler;
  ObjectDifference difference;
};

// A unit whose functions a file has. A unit that is linked into several files is placed in each.
struct PlacedUnit {
  const OldFile *file = nullptr;
  const UnitVersions *versions = nullptr;
  std::optional<uint32_t> group; // group of its local symbols in the file
};

struct PlannedFunction {
  std::string name;                 // linked name in the old file
  uint32_t position = 0;            // position among several of the name
  std::string glue;                 // symbol of the new version
  std::vector<std::string> because; // changed functions that are inlined into it; or empty
  bool is_changed_itself = false;   // the diff has lines of it
  bool is_main = false;             // main() runs once, and as long as the program
  FunctionStay old_stay, new_stay;  // why threads stay in that version
};

struct UnitPlan {
  const OldFile *file = nullptr;
  const UnitVersions *versions = nullptr;
  std::string list; // value for the plugin's extract=
  std::vector<PlannedFunction> functions;
  std::vector<std::string> added; // functions and variables of the new version only
};

struct PatchPlan {
  std::vector<UnitPlan> units; // the units that the patch takes items from
  struct Refusal {
    std::string unit, name, reason;
  };
  std::vector<Refusal> refused;
  std::vector<std::string> notes; // notes for the user; a line each
};

// Makes the plan. `compiled` are all units that the diff may change, also those that are the same
// in both versions; `units` are some of them. `changed_functions` are the linked names of the
// functions that the diff has lines of.
PatchPlan make_plan(const std::vector<PlacedUnit> &units, const std::vector<UnitVersions> &compiled,
                    const std::set<std::string> &changed_functions);

} // namespace nophook
