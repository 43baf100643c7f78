// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/debug_bounds.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"

#include <cstring>
#include <map>
#include <optional>
#include <vector>

namespace nophook::analysis {
namespace {

namespace dwarf = llvm::dwarf;
using Cursor = llvm::DataExtractor::Cursor;

// A step to the end of a value. Most forms have a fixed size; values of such forms in a row are one
// step.
struct Step {
  enum Kind : uint8_t { kFixed, kUleb, kSleb, kText, kBlock1, kBlock2, kBlock4, kBlock } kind;
  uint32_t bytes = 0; // for kFixed
};
using Steps = llvm::SmallVector<Step, 4>;
using Abbreviations = std::vector<std::optional<Steps>>; // by code: compilers count them from 1

constexpr uint64_t kMostAbbreviations = 1 << 16;

// The step over a value of this form. Nothing: the form is unknown.
std::optional<Step> step_of(uint64_t form, uint16_t version) {
  switch (form) {
  case dwarf::DW_FORM_flag_present:
  case dwarf::DW_FORM_implicit_const:
    return Step{Step::kFixed, 0};
  case dwarf::DW_FORM_data1:
  case dwarf::DW_FORM_ref1:
  case dwarf::DW_FORM_flag:
  case dwarf::DW_FORM_strx1:
  case dwarf::DW_FORM_addrx1:
    return Step{Step::kFixed, 1};
  case dwarf::DW_FORM_data2:
  case dwarf::DW_FORM_ref2:
  case dwarf::DW_FORM_strx2:
  case dwarf::DW_FORM_addrx2:
    return Step{Step::kFixed, 2};
  case dwarf::DW_FORM_strx3:
  case dwarf::DW_FORM_addrx3:
    return Step{Step::kFixed, 3};
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
    return Step{Step::kFixed, 4};
  case dwarf::DW_FORM_ref_addr: // an address in DWARF 2
    return Step{Step::kFixed, version <= 2 ? 8u : 4u};
  case dwarf::DW_FORM_data8:
  case dwarf::DW_FORM_ref8:
  case dwarf::DW_FORM_ref_sig8:
  case dwarf::DW_FORM_ref_sup8:
  case dwarf::DW_FORM_addr:
    return Step{Step::kFixed, 8};
  case dwarf::DW_FORM_data16:
    return Step{Step::kFixed, 16};
  case dwarf::DW_FORM_sdata: // LLVM refuses large negative values as too big if read as ULEB
    return Step{Step::kSleb};
  case dwarf::DW_FORM_udata:
  case dwarf::DW_FORM_ref_udata:
  case dwarf::DW_FORM_strx:
  case dwarf::DW_FORM_addrx:
  case dwarf::DW_FORM_loclistx:
  case dwarf::DW_FORM_rnglistx:
    return Step{Step::kUleb};
  case dwarf::DW_FORM_string:
    return Step{Step::kText};
  case dwarf::DW_FORM_block1:
    return Step{Step::kBlock1};
  case dwarf::DW_FORM_block2:
    return Step{Step::kBlock2};
  case dwarf::DW_FORM_block4:
    return Step{Step::kBlock4};
  case dwarf::DW_FORM_block:
  case dwarf::DW_FORM_exprloc:
    return Step{Step::kBlock};
  default: // also DW_FORM_indirect: no compiler writes it
    return std::nullopt;
  }
}

std::optional<Abbreviations> read_abbreviations(llvm::StringRef section, uint64_t offset,
                                                uint16_t version) {
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
    Steps steps;
    while (cursor) {
      const uint64_t attribute = data.getULEB128(cursor), form = data.getULEB128(cursor);
      if (attribute == 0 && form == 0)
        break;
      if (form == dwarf::DW_FORM_implicit_const)
        data.getSLEB128(cursor);
      const std::optional<Step> step = step_of(form, version);
      is_known &= step.has_value();
      if (step && step->kind == Step::kFixed && !steps.empty() && steps.back().kind == Step::kFixed)
        steps.back().bytes += step->bytes;
      else if (step)
        steps.push_back(*step);
    }
    is_known &= code < kMostAbbreviations;
    if (!is_known)
      break;
    if (result.size() <= code)
      result.resize(code + 1);
    is_known = !result[code];
    result[code] = std::move(steps);
  }
  if (llvm::errorToBool(cursor.takeError()) || !is_known)
    return std::nullopt;
  return result;
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

// Walks over the values of a unit. It uses plain pointers, as it reads all debug info there is.
class Walk {
public:
  explicit Walk(llvm::StringRef entries) : at_(entries.bytes_begin()), end_(entries.bytes_end()) {}

  bool run(const Abbreviations &abbreviations) {
    while (is_good_ && at_ != end_) {
      const uint64_t code = uleb();
      if (code == 0)
        continue;
      if (code >= abbreviations.size() || !abbreviations[code])
        return false;
      for (const Step &step : *abbreviations[code])
        take(step);
    }
    return is_good_;
  }

private:
  void skip(uint64_t bytes) {
    is_good_ &= bytes <= uint64_t(end_ - at_);
    at_ = is_good_ ? at_ + bytes : end_;
  }
  template <class Length> void skip_block() {
    const uint8_t *length = at_;
    skip(sizeof(Length));
    if (is_good_)
      skip(llvm::support::endian::read<Length, llvm::endianness::little>(length));
  }
  uint64_t uleb() {
    if (at_ != end_ && *at_ < 0x80)
      return *at_++;
    unsigned bytes = 0;
    const char *problem = nullptr;
    const uint64_t value = llvm::decodeULEB128(at_, &bytes, end_, &problem);
    is_good_ &= !problem;
    skip(bytes);
    return value;
  }
  void sleb() {
    unsigned bytes = 0;
    const char *problem = nullptr;
    llvm::decodeSLEB128(at_, &bytes, end_, &problem);
    is_good_ &= !problem;
    skip(bytes);
  }
  void text() {
    const void *end = at_ == end_ ? nullptr : std::memchr(at_, 0, end_ - at_);
    is_good_ &= end != nullptr;
    at_ = is_good_ ? static_cast<const uint8_t *>(end) + 1 : end_;
  }
  void take(const Step &step) {
    switch (step.kind) {
    case Step::kFixed:
      return skip(step.bytes);
    case Step::kUleb:
      uleb();
      return;
    case Step::kSleb:
      return sleb();
    case Step::kText:
      return text();
    case Step::kBlock1:
      return skip_block<uint8_t>();
    case Step::kBlock2:
      return skip_block<uint16_t>();
    case Step::kBlock4:
      return skip_block<uint32_t>();
    case Step::kBlock:
      return skip(uleb());
    }
  }

  const uint8_t *at_, *const end_;
  bool is_good_ = true;
};

} // namespace

bool is_walkable(llvm::StringRef info, llvm::StringRef abbreviations) {
  // The tables by offset and version; units may share one.
  std::map<std::pair<uint64_t, uint16_t>, std::optional<Abbreviations>> tables;
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
    auto [table, is_new] = tables.try_emplace({unit->abbreviations, unit->version});
    if (is_new)
      table->second = read_abbreviations(abbreviations, unit->abbreviations, unit->version);
    if (!table->second || !Walk(info.slice(unit->entries, body + length)).run(*table->second))
      return false;
    at = body + length;
  }
  return true;
}

} // namespace nophook::analysis
