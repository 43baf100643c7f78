// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "debug_bounds.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/DataExtractor.h"

#include <map>
#include <optional>

namespace nophook {
namespace {

namespace dwarf = llvm::dwarf;
using Cursor = llvm::DataExtractor::Cursor;

using Forms = llvm::SmallVector<uint16_t, 8>;
using Abbreviations = llvm::DenseMap<uint64_t, Forms>;

std::optional<Abbreviations> read_abbreviations(llvm::StringRef section, uint64_t offset) {
  const llvm::DataExtractor data(section, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  Abbreviations result;
  Cursor cursor(offset);
  bool is_known = offset < section.size();
  while (is_known && cursor) {
    const uint64_t code = data.getULEB128(cursor);
    if (!cursor || code == 0)
      break;
    data.getULEB128(cursor); // tag
    data.getU8(cursor);      // has children
    Forms forms;
    while (cursor) {
      const uint64_t attribute = data.getULEB128(cursor), form = data.getULEB128(cursor);
      if (attribute == 0 && form == 0)
        break;
      if (form == dwarf::DW_FORM_implicit_const)
        data.getSLEB128(cursor);
      is_known &= form <= UINT16_MAX;
      forms.push_back(form);
    }
    // DenseMap keeps two keys for itself.
    is_known &= code < ~uint64_t{1} && result.try_emplace(code, std::move(forms)).second;
  }
  if (llvm::errorToBool(cursor.takeError()) || !is_known)
    return std::nullopt;
  return result;
}

// Moves behind a value. False: a form that is not known here.
bool skip(const llvm::DataExtractor &data, Cursor &cursor, uint16_t form, uint16_t version) {
  switch (form) {
  case dwarf::DW_FORM_flag_present:
  case dwarf::DW_FORM_implicit_const:
    return true;
  case dwarf::DW_FORM_data1:
  case dwarf::DW_FORM_ref1:
  case dwarf::DW_FORM_flag:
  case dwarf::DW_FORM_strx1:
  case dwarf::DW_FORM_addrx1:
    data.skip(cursor, 1);
    return true;
  case dwarf::DW_FORM_data2:
  case dwarf::DW_FORM_ref2:
  case dwarf::DW_FORM_strx2:
  case dwarf::DW_FORM_addrx2:
    data.skip(cursor, 2);
    return true;
  case dwarf::DW_FORM_strx3:
  case dwarf::DW_FORM_addrx3:
    data.skip(cursor, 3);
    return true;
  case dwarf::DW_FORM_data4:
  case dwarf::DW_FORM_ref4:
  case dwarf::DW_FORM_strx4:
  case dwarf::DW_FORM_addrx4:
  case dwarf::DW_FORM_strp:
  case dwarf::DW_FORM_line_strp:
  case dwarf::DW_FORM_sec_offset:
  case dwarf::DW_FORM_ref_sup4:
  case dwarf::DW_FORM_strp_sup:
  case dwarf::DW_FORM_GNU_ref_alt:
  case dwarf::DW_FORM_GNU_strp_alt:
    data.skip(cursor, 4);
    return true;
  case dwarf::DW_FORM_ref_addr: // an address in DWARF 2
    data.skip(cursor, version <= 2 ? 8 : 4);
    return true;
  case dwarf::DW_FORM_data8:
  case dwarf::DW_FORM_ref8:
  case dwarf::DW_FORM_ref_sig8:
  case dwarf::DW_FORM_ref_sup8:
  case dwarf::DW_FORM_addr:
    data.skip(cursor, 8);
    return true;
  case dwarf::DW_FORM_data16:
    data.skip(cursor, 16);
    return true;
  case dwarf::DW_FORM_sdata: // LLVM refuses large negative ones as too big if read as ULEB
    data.getSLEB128(cursor);
    return true;
  case dwarf::DW_FORM_udata:
  case dwarf::DW_FORM_ref_udata:
  case dwarf::DW_FORM_strx:
  case dwarf::DW_FORM_addrx:
  case dwarf::DW_FORM_loclistx:
  case dwarf::DW_FORM_rnglistx:
    data.getULEB128(cursor);
    return true;
  case dwarf::DW_FORM_string:
    data.getCStrRef(cursor);
    return true;
  case dwarf::DW_FORM_block1:
    data.skip(cursor, data.getU8(cursor));
    return true;
  case dwarf::DW_FORM_block2:
    data.skip(cursor, data.getU16(cursor));
    return true;
  case dwarf::DW_FORM_block4:
    data.skip(cursor, data.getU32(cursor));
    return true;
  case dwarf::DW_FORM_block:
  case dwarf::DW_FORM_exprloc:
    data.skip(cursor, data.getULEB128(cursor));
    return true;
  default: // DW_FORM_indirect too: no compiler writes it
    return false;
  }
}

struct Unit {
  uint16_t version;
  uint64_t abbreviations;
  uint64_t entries; // offset of the first one
};

std::optional<Unit> read_header(const llvm::DataExtractor &data, uint64_t at) {
  Cursor cursor(at);
  Unit unit = {};
  unit.version = data.getU16(cursor);
  uint8_t type = dwarf::DW_UT_compile, address_bytes;
  if (unit.version >= 5) {
    type = data.getU8(cursor);
    address_bytes = data.getU8(cursor);
    unit.abbreviations = data.getU32(cursor);
  } else {
    unit.abbreviations = data.getU32(cursor);
    address_bytes = data.getU8(cursor);
  }
  if (type == dwarf::DW_UT_type || type == dwarf::DW_UT_split_type)
    data.skip(cursor, 12);
  else if (type == dwarf::DW_UT_skeleton || type == dwarf::DW_UT_split_compile)
    data.skip(cursor, 8);
  unit.entries = cursor.tell();
  if (llvm::errorToBool(cursor.takeError()) || unit.version < 2 || unit.version > 5 ||
      address_bytes != 8)
    return std::nullopt;
  return unit;
}

bool walk(const llvm::DataExtractor &data, const Unit &unit, const Abbreviations &abbreviations) {
  Cursor cursor(unit.entries);
  bool is_known = true;
  while (is_known && cursor && !data.eof(cursor)) {
    const uint64_t code = data.getULEB128(cursor);
    if (!cursor || code == 0)
      continue;
    const auto found = code < ~uint64_t{1} ? abbreviations.find(code) : abbreviations.end();
    is_known = found != abbreviations.end();
    if (is_known)
      for (uint16_t form : found->second)
        is_known = is_known && skip(data, cursor, form, unit.version);
  }
  return !llvm::errorToBool(cursor.takeError()) && is_known;
}

} // namespace

bool is_walkable(llvm::StringRef info, llvm::StringRef abbreviations) {
  std::map<uint64_t, std::optional<Abbreviations>> tables; // by offset; units may share one
  const llvm::DataExtractor all(info, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  for (uint64_t at = 0; at < info.size();) {
    Cursor cursor(at);
    const uint64_t length = all.getU32(cursor);
    const uint64_t body = cursor.tell();
    if (llvm::errorToBool(cursor.takeError()) || length > info.size() - body)
      return false;
    const llvm::DataExtractor data(info.take_front(body + length), true, 8);
    const std::optional<Unit> unit = read_header(data, body);
    if (!unit)
      return false;
    auto [table, is_new] = tables.try_emplace(unit->abbreviations);
    if (is_new)
      table->second = read_abbreviations(abbreviations, unit->abbreviations);
    if (!table->second || !walk(data, *unit, *table->second))
      return false;
    at = body + length;
  }
  return true;
}

} // namespace nophook
