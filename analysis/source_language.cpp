// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/source_language.h"
#include "analysis/die_type.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"

namespace nophook::analysis {
namespace {

namespace dwarf = llvm::dwarf;

// Registered numbers that these versions of LLVM do not know.
constexpr uint64_t kC23 = 0x3e, kCxx23 = 0x3a;

constexpr SourceLanguage kLanguages[] = {
    {dwarf::DW_LANG_C, Convention::kC, true},
    {dwarf::DW_LANG_C89, Convention::kC, true},
    {dwarf::DW_LANG_C99, Convention::kC, true},
    {dwarf::DW_LANG_C11, Convention::kC, true},
    {dwarf::DW_LANG_C17, Convention::kC, true},
    {kC23, Convention::kC, true},
    {dwarf::DW_LANG_ObjC, Convention::kC, true},
    {dwarf::DW_LANG_C_plus_plus, Convention::kC},
    {dwarf::DW_LANG_C_plus_plus_03, Convention::kC},
    {dwarf::DW_LANG_C_plus_plus_11, Convention::kC},
    {dwarf::DW_LANG_C_plus_plus_14, Convention::kC},
    {dwarf::DW_LANG_C_plus_plus_17, Convention::kC},
    {dwarf::DW_LANG_C_plus_plus_20, Convention::kC},
    {kCxx23, Convention::kC},
    {dwarf::DW_LANG_ObjC_plus_plus, Convention::kC},
    {dwarf::DW_LANG_Rust, Convention::kRust},
};

} // namespace

SourceLanguage language_of(llvm::DWARFDie die) {
  const uint64_t number = number_of(die.getDwarfUnit()->getUnitDIE(), dwarf::DW_AT_language, 0);
  for (const SourceLanguage &language : kLanguages)
    if (language.number == number)
      return language;
  return {number, Convention::kUnknown};
}

} // namespace nophook::analysis
