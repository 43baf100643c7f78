// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/signatures.h"
#include "analysis/debug_bounds.h"

#include "llvm/BinaryFormat/Dwarf.h"

namespace nophook::analysis {

using llvm::DWARFDie;
namespace dwarf = llvm::dwarf;

namespace {

// The DIE with the parameters, found by way of abstract_origin and specification.
DWARFDie source_of(DWARFDie die) {
  for (unsigned depth = 0; depth < 8; depth++) {
    DWARFDie origin = die.getAttributeValueAsReferencedDie(dwarf::DW_AT_abstract_origin);
    if (!origin)
      return die;
    die = origin;
  }
  return die;
}

// Whether a unit has types. With -g1 there are functions, but no types and no parameters: each
// function looks as if it had none.
bool has_types(llvm::DWARFUnit &unit) {
  if (!unit.getUnitDIE(/*ExtractUnitDIEOnly=*/false))
    return false;
  return llvm::any_of(unit.dies(), [&](const llvm::DWARFDebugInfoEntry &entry) {
    const DWARFDie die(&unit, &entry);
    return die.find({dwarf::DW_AT_type, dwarf::DW_AT_prototyped}).has_value();
  });
}

} // namespace

Signatures::Signatures(const Object &object) : sections_(debug_sections(object)) {
  auto text = [&](const char *name) {
    auto section = sections_.find(name);
    return section == sections_.end() ? llvm::StringRef() : section->second->getBuffer();
  };
  if (sections_.empty() || !is_walkable(text("debug_info"), text("debug_abbrev")))
    return;
  auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  context_ = llvm::DWARFContext::create(sections_, /*AddrSize=*/8, /*isLittleEndian=*/true, ignore,
                                        ignore);
  for (const auto &unit : context_->compile_units())
    read(*unit);
}

void Signatures::read(llvm::DWARFUnit &unit) {
  // All DIEs are read in a row, without recursion: damaged debug info may be deep.
  if (!has_types(unit))
    return;
  for (const llvm::DWARFDebugInfoEntry &entry : unit.dies()) {
    if (entry.getTag() != dwarf::DW_TAG_subprogram)
      continue;
    const DWARFDie die(&unit, &entry);
    if (die.find({dwarf::DW_AT_low_pc, dwarf::DW_AT_ranges}))
      add(die);
  }
}

void Signatures::add(DWARFDie die) {
  auto ranges = die.getAddressRanges();
  if (!ranges) {
    llvm::consumeError(ranges.takeError());
    return;
  }
  for (const llvm::DWARFAddressRange &range : *ranges) {
    const CodeAddress begin = code_address(range.LowPC);
    functions_.emplace(std::pair(begin.section, begin.offset), Signature{die, source_of(die)});
  }
}

// Reads the functions by name. Few are requested by name, in most objects none: all are read only
// then.
void Signatures::read_names() {
  for (const auto &unit : context_->compile_units()) {
    if (!has_types(*unit))
      continue;
    for (const llvm::DWARFDebugInfoEntry &entry : unit->dies()) {
      const DWARFDie die(unit.get(), &entry);
      // A file's local functions may share a name, so the first one does not stand for all.
      if (entry.getTag() != dwarf::DW_TAG_subprogram || !die.find(dwarf::DW_AT_external))
        continue;
      const char *name = die.getLinkageName();
      if (!name)
        name = die.getShortName();
      if (name)
        named_.try_emplace(name, Signature{die, source_of(die)});
    }
  }
}

const Signature *Signatures::named(llvm::StringRef symbol) {
  if (context_ && !has_names_)
    read_names();
  has_names_ = true;
  auto found = named_.find(symbol);
  return found == named_.end() ? nullptr : &found->second;
}

const Signature *Signatures::at(uint32_t section, uint64_t offset) const {
  auto found = functions_.find({section, offset});
  return found == functions_.end() ? nullptr : &found->second;
}

} // namespace nophook::analysis
