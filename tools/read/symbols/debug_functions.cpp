// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks through the units of DWARF, and into split ones.

#include "read/symbols/debug_functions.h"

#include "foundation/damaged_file.h"
#include "read/symbols/debug_file.h"
#include "read/symbols/debug_gaps.h"
#include "read/symbols/symbol_table.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>
#include <map>

namespace nophook {

using namespace llvm;
using namespace llvm::dwarf;

namespace {

const char *linked_name(const DWARFDie &die) {
  const char *name = die.getLinkageName();
  return name ? name : die.getShortName();
}

bool has_code(const DWARFDie &die) {
  return die.getTag() == DW_TAG_subprogram &&
         (die.find(DW_AT_low_pc).has_value() || die.find(DW_AT_ranges).has_value());
}

// The function whose code an inlined call is part of.
std::string function_around(DWARFDie die) {
  do
    die = die.getParent();
  while (die && die.getTag() != DW_TAG_subprogram);
  const char *name = die ? linked_name(die) : nullptr;
  return name ? short_name(name) : "?";
}

std::vector<uint64_t> code_of(DWARFUnit &unit) {
  std::vector<uint64_t> code;
  for (const DWARFDebugInfoEntry &entry : unit.dies()) {
    DWARFDie die(&unit, &entry);
    if (!has_code(die))
      continue;
    auto ranges = die.getAddressRanges();
    if (!ranges)
      consumeError(ranges.takeError());
    else if (!ranges->empty())
      code.push_back(ranges->front().LowPC);
  }
  return code;
}

} // namespace

std::vector<DebugFunction> find_debug_functions(const ElfImage &image,
                                                const std::function<bool(const char *)> &wanted) {
  auto debug = find_debug_file(image);
  name_read_file(image.path());
  auto file = object::ObjectFile::createObjectFile(debug ? debug->path() : image.path());
  if (!file) {
    consumeError(file.takeError());
    return {};
  }
  auto ignore = [](llvm::Error error) { consumeError(std::move(error)); };
  auto context =
      DWARFContext::create(*file->getBinary(), DWARFContext::ProcessDebugRelocations::Ignore,
                           nullptr, "", ignore, ignore);
  std::map<std::string, DebugFunction> functions; // functions by name
  const bool may_open = split_files_may_be_opened(*file->getBinary());
  for (const auto &skeleton : context->compile_units()) {
    // The unit itself is used if it is not split or its .dwo file is missing.
    DWARFUnit *unit =
        may_open ? skeleton->getNonSkeletonUnitDIE(/*ExtractUnitDIEOnly=*/false).getDwarfUnit()
                 : skeleton.get();
    for (const DWARFDebugInfoEntry &entry : unit->dies()) {
      DWARFDie die(unit, &entry);
      if (die.getTag() != DW_TAG_subprogram && die.getTag() != DW_TAG_inlined_subroutine)
        continue;
      const char *name = linked_name(die);
      if (!name || !wanted(name))
        continue;
      if (die.find(DW_AT_declaration))
        continue; // a declaration does not show the function's fate
      DebugFunction &function = functions[full_name(name)];
      function.name = full_name(name);
      if (die.getTag() == DW_TAG_inlined_subroutine)
        function.inlined_into.push_back(function_around(die));
      if (function.unit.empty() || (has_code(die) && !function.has_code)) {
        const char *unit_name = unit->getUnitDIE().getShortName();
        function.unit = unit_name ? printable(unit_name) : "?";
        function.unit_code = code_of(*unit);
      }
      function.has_code |= has_code(die);
    }
  }
  std::vector<DebugFunction> found;
  for (auto &[key, function] : functions)
    found.push_back(std::move(function));
  return found;
}

} // namespace nophook
