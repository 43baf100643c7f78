// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/entry_places.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include "llvm/Support/DataExtractor.h"

namespace nophook::analysis {

namespace dwarf = llvm::dwarf;

namespace {

constexpr uint64_t kLongestSite = 9; // bytes, including an endbr64 or bti in front
constexpr unsigned kVectorRegisters = 16;

std::optional<uint32_t> register_place(uint64_t number, unsigned first_vector) {
  if (number >= first_vector && number < first_vector + kVectorRegisters)
    return NOPHOOK_PLACE(NOPHOOK_PLACE_SSE, 0, uint32_t(number - first_vector), 0);
  if (number < std::min(first_vector, 32u))
    return NOPHOOK_PLACE(NOPHOOK_PLACE_GENERAL, 0, uint32_t(number), 0);
  return std::nullopt;
}

// The registers of a place, each with its piece of the value, or one register with the address of
// the whole value.
std::optional<Pieces> pieces_of(llvm::ArrayRef<uint8_t> expression, uint64_t bytes,
                                unsigned first_vector) {
  const llvm::DataExtractor data(expression, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  llvm::DataExtractor::Cursor cursor(0);
  Pieces pieces;
  uint64_t at = 0;
  bool is_known = true;
  while (is_known && cursor && cursor.tell() < expression.size()) {
    const uint8_t operation = data.getU8(cursor);
    std::optional<uint32_t> place;
    if (operation >= dwarf::DW_OP_reg0 && operation <= dwarf::DW_OP_reg31)
      place = register_place(operation - dwarf::DW_OP_reg0, first_vector);
    else if (operation == dwarf::DW_OP_regx)
      place = register_place(data.getULEB128(cursor), first_vector);
    else if (operation >= dwarf::DW_OP_breg0 && operation <= dwarf::DW_OP_breg15 && !at &&
             operation != dwarf::DW_OP_breg6 && operation != dwarf::DW_OP_breg7 &&
             data.getSLEB128(cursor) == 0)
      place = NOPHOOK_PLACE(NOPHOOK_PLACE_AT_GENERAL, 0, operation - dwarf::DW_OP_breg0, 0);
    is_known = place.has_value();
    uint64_t size = bytes - std::min(at, bytes);
    if (is_known && cursor.tell() < expression.size()) {
      is_known = data.getU8(cursor) == dwarf::DW_OP_piece;
      size = data.getULEB128(cursor);
    }
    if (is_known)
      pieces.push_back({*place, at, size});
    at += size;
  }
  if (llvm::errorToBool(cursor.takeError()) || !is_known || at < bytes || pieces.empty())
    return std::nullopt;
  return pieces;
}

bool is_in_frame(llvm::ArrayRef<uint8_t> expression) {
  return !expression.empty() &&
         (expression[0] == dwarf::DW_OP_fbreg || expression[0] == dwarf::DW_OP_breg6 ||
          expression[0] == dwarf::DW_OP_breg7);
}

// Whether a value is a constant, or one that the caller has and does not pass.
bool is_not_passed(llvm::ArrayRef<uint8_t> expression) {
  constexpr uint8_t kGnuParameterRef = 0xfa; // unknown to LLVM
  return expression.empty() ||
         (expression[0] >= dwarf::DW_OP_const1u && expression[0] <= dwarf::DW_OP_consts) ||
         (expression[0] >= dwarf::DW_OP_lit0 && expression[0] <= dwarf::DW_OP_lit31) ||
         expression[0] == dwarf::DW_OP_implicit_value || expression[0] == dwarf::DW_OP_addr ||
         expression[0] == kGnuParameterRef || expression[0] == dwarf::DW_OP_implicit_pointer;
}

} // namespace

bool is_same(const Pieces &a, const Pieces &b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](Piece a, Piece b) {
           return a.place == b.place && a.at == b.at;
         });
}

EntryPlace place_at_entry(llvm::DWARFDie parameter, uint64_t bytes, uint64_t entry,
                          unsigned first_vector) {
  EntryPlace place;
  if (!parameter.find(dwarf::DW_AT_location)) {
    place.is_absent = true;
    return place;
  }
  auto locations = parameter.getLocations(dwarf::DW_AT_location);
  if (!locations) {
    llvm::consumeError(locations.takeError());
    return place;
  }
  // gcc's lists may begin with a range without code, where a value is between two places.
  const auto first = llvm::find_if(*locations, [](const llvm::DWARFLocationExpression &one) {
    return !one.Range || one.Range->LowPC != one.Range->HighPC;
  });
  if (first == locations->end()) {
    place.is_absent = true;
    return place;
  }
  place.is_frame = is_in_frame(first->Expr);
  place.is_absent = is_not_passed(first->Expr);
  place.first = pieces_of(first->Expr, bytes, first_vector);
  if (!first->Range ||
      (first->Range->LowPC >= entry && first->Range->LowPC <= entry + kLongestSite))
    place.pieces = place.first;
  return place;
}

} // namespace nophook::analysis
