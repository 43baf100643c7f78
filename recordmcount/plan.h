// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan for an object: its sites, and the changes that record them.
//
// A site is found in one of two ways: by the relocation of a call to mcount, or because the
// compiler wrote a table of its own. A compiler's table is kept only if a linker treats it
// right: one table for each text section, linked to it, in its group, writable. gcc before 13
// puts the entries of a whole file into one table that belongs to one function: linkers drop
// them with that function or refuse them. Such a table is emptied and rewritten.

#pragma once

#include "analysis/code_range.h"
#include "analysis/object_functions.h"

namespace nophook::recordmcount {

using namespace analysis;

struct Site {
  uint32_t section;     // number of the section of code
  uint64_t offset;      // offset within the section
  llvm::StringRef from; // the called function, or the table's name
  bool is_new;          // false: the object has it recorded already
};

// Bytes of the file that are overwritten.
struct Patch {
  uint64_t file_offset;
  llvm::SmallVector<uint8_t, 16> bytes;
};

// The missing entries for one section of code.
struct NewTable {
  uint32_t section;
  std::vector<uint64_t> sites;
};

struct Plan {
  std::vector<Site> sites; // ascending by section and offset
  std::vector<Patch> patches;
  std::vector<NewTable> tables;
  std::vector<uint32_t> emptied; // sections that lose their contents
  uint64_t repaired_tables = 0;

  bool changes_anything() const { return !patches.empty() || !tables.empty(); }
};

struct PlanOptions {
  bool keep_calls = false; // record calls, do not turn them into NOPs
};

llvm::Expected<Plan> make_plan(const Object &object, const Functions &functions,
                               PlanOptions options);

} // namespace nophook::recordmcount
