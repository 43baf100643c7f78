// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/locations.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"

namespace nophook::analysis {
namespace {

namespace dwarf = llvm::dwarf;
using Cursor = llvm::DataExtractor::Cursor;

// The expression of the list's first entry; empty if there is none. Addresses are not used, so the
// bytes need not be relocated.
Bytes first_expression(Bytes list) {
  const llvm::DataExtractor data(list, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  Cursor cursor(0);
  for (bool is_entry = false; cursor && !is_entry;) {
    is_entry = true;
    switch (data.getU8(cursor)) {
    case dwarf::DW_LLE_base_addressx:
      data.getULEB128(cursor);
      is_entry = false;
      break;
    case dwarf::DW_LLE_base_address:
      data.skip(cursor, 8);
      is_entry = false;
      break;
    case dwarf::DW_LLE_startx_endx:
    case dwarf::DW_LLE_startx_length:
    case dwarf::DW_LLE_offset_pair:
      data.getULEB128(cursor);
      data.getULEB128(cursor);
      break;
    case dwarf::DW_LLE_start_end:
      data.skip(cursor, 16);
      break;
    case dwarf::DW_LLE_start_length:
      data.skip(cursor, 8);
      data.getULEB128(cursor);
      break;
    default:
      llvm::consumeError(cursor.takeError());
      return {};
    }
  }
  const uint64_t bytes = data.getULEB128(cursor), at = cursor.tell();
  if (llvm::errorToBool(cursor.takeError()) || bytes > list.size() - at)
    return {};
  return list.slice(at, bytes);
}

Bytes first_old_expression(Bytes list) {
  const llvm::DataExtractor data(list, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  Cursor cursor(0);
  uint64_t begin;
  do {
    begin = data.getU64(cursor);
    data.getU64(cursor);
  } while (cursor && begin == UINT64_MAX); // a base address
  const uint64_t bytes = data.getU16(cursor), at = cursor.tell();
  if (llvm::errorToBool(cursor.takeError()) || bytes > list.size() - at)
    return {};
  return list.slice(at, bytes);
}

} // namespace

// The offset of a parameter's list. clang numbers its lists: a number stands for an offset in the
// unit's table.
std::optional<uint64_t> Locations::list_offset(llvm::DWARFDie parameter,
                                               const llvm::DWARFFormValue &location) const {
  if (location.getForm() != dwarf::DW_FORM_loclistx)
    return location.getAsSectionOffset();
  const llvm::DWARFDie unit = parameter.getDwarfUnit()->getUnitDIE();
  const auto base = dwarf::toSectionOffset(unit.find(dwarf::DW_AT_loclists_base));
  const uint64_t number = location.getRawUValue();
  if (!base || *base > lists_.size() || number >= (lists_.size() - *base) / sizeof(uint32_t))
    return std::nullopt;
  return *base + llvm::support::endian::read32le(&lists_[*base + number * sizeof(uint32_t)]);
}

Locations::Locations(const Object &object) {
  for (uint32_t i = 1; i < object.sections().size(); i++) {
    if (object.sections()[i].sh_flags & llvm::ELF::SHF_COMPRESSED)
      continue;
    if (object.name(i) == ".debug_loclists")
      lists_ = object.contents(i);
    else if (object.name(i) == ".debug_loc")
      old_lists_ = object.contents(i);
  }
}

std::optional<unsigned> Locations::first_register(llvm::DWARFDie parameter) const {
  const auto location = parameter.find(dwarf::DW_AT_location);
  if (!location)
    return std::nullopt;
  Bytes expression;
  if (const auto block = location->getAsBlock()) {
    expression = *block;
  } else if (const auto offset = list_offset(parameter, *location)) {
    const bool is_old = parameter.getDwarfUnit()->getVersion() < 5;
    const Bytes lists = is_old ? old_lists_ : lists_;
    if (*offset < lists.size())
      expression = is_old ? first_old_expression(lists.drop_front(*offset))
                          : first_expression(lists.drop_front(*offset));
  }
  if (expression.size() != 1 || expression[0] < dwarf::DW_OP_reg0 ||
      expression[0] > dwarf::DW_OP_reg31)
    return std::nullopt;
  return expression[0] - dwarf::DW_OP_reg0;
}

} // namespace nophook::analysis
