// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rust_places.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include "llvm/Support/DataExtractor.h"

namespace nophook {

using llvm::DWARFDie;
namespace dwarf = llvm::dwarf;

namespace {

constexpr uint64_t kLongestSite = 9; // with endbr64 or bti in front
constexpr unsigned kFirstSse = 17, kSseRegisters = 16;

struct Place {
  bool is_frame = false;        // a place on the stack for all of the function
  std::optional<Pieces> pieces; // at the entry
};

std::optional<uint32_t> register_place(unsigned number) {
  if (number < kFirstSse)
    return NOPHOOK_PLACE(NOPHOOK_PLACE_GENERAL, 0, number, 0);
  if (number < kFirstSse + kSseRegisters)
    return NOPHOOK_PLACE(NOPHOOK_PLACE_SSE, 0, number - kFirstSse, 0);
  return std::nullopt;
}

// Registers, each with its piece of the value, or the address of all of it in one.
std::optional<Pieces> pieces_of(llvm::ArrayRef<uint8_t> expression, uint64_t bytes) {
  const llvm::DataExtractor data(expression, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  llvm::DataExtractor::Cursor cursor(0);
  Pieces pieces;
  uint64_t at = 0;
  bool is_known = true;
  while (is_known && cursor && cursor.tell() < expression.size()) {
    const uint8_t operation = data.getU8(cursor);
    std::optional<uint32_t> place;
    if (operation >= dwarf::DW_OP_reg0 && operation <= dwarf::DW_OP_reg31)
      place = register_place(operation - dwarf::DW_OP_reg0);
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

bool is_same(const Pieces &a, const Pieces &b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](Piece a, Piece b) {
           return a.place == b.place && a.at == b.at;
         });
}

// Code that is not optimized copies each argument to the stack, but not those that come by address:
// their place begins behind the prologue.
Place place_of(DWARFDie parameter, const Pieces &assigned, uint64_t entry) {
  Place place;
  uint64_t bytes = 0;
  for (const Piece &piece : assigned)
    bytes = std::max(bytes, piece.at + piece.bytes);
  if (!parameter.find(dwarf::DW_AT_location))
    return place;
  auto locations = parameter.getLocations(dwarf::DW_AT_location);
  if (!locations) {
    llvm::consumeError(locations.takeError());
    return place;
  }
  if (locations->empty())
    return place;
  const llvm::DWARFLocationExpression &first = locations->front();
  const std::optional<Pieces> pieces = pieces_of(first.Expr, bytes);
  const bool is_by_address =
      assigned.size() == 1 && NOPHOOK_PLACE_WHERE(assigned[0].place) == NOPHOOK_PLACE_AT_GENERAL;
  place.is_frame =
      is_in_frame(first.Expr) || (is_by_address && pieces && is_same(*pieces, assigned));
  if (!first.Range || (first.Range->LowPC >= entry && first.Range->LowPC <= entry + kLongestSite))
    place.pieces = pieces;
  return place;
}

} // namespace

RustPlaces proved_places(llvm::ArrayRef<DWARFDie> parameters, llvm::ArrayRef<Pieces> assigned,
                         const Pieces &result, uint64_t entry, bool is_local) {
  RustPlaces places;
  bool is_plain = true, agrees = true, is_complete = true;
  llvm::SmallVector<Place, 8> found;
  for (size_t i = 0; i < parameters.size(); i++) {
    found.push_back(place_of(parameters[i], assigned[i], entry));
    if (assigned[i].empty())
      continue; // no data
    is_plain &= found.back().is_frame;
    is_complete &= found.back().pieces.has_value();
    agrees &= !found.back().pieces || is_same(*found.back().pieces, assigned[i]);
  }
  for (size_t i = 0; i < parameters.size(); i++) {
    if (assigned[i].empty() || is_plain)
      places.arguments.push_back(assigned[i]);
    else
      places.arguments.push_back(found[i].pieces.value_or(Pieces{unknown_piece()}));
  }
  // A local function need not return the address of a result that it writes to memory.
  const bool is_in_memory =
      result.size() == 1 && NOPHOOK_PLACE_WHERE(result[0].place) == NOPHOOK_PLACE_AT_GENERAL;
  const bool has_parameters = !parameters.empty();
  places.has_result = !is_local || (has_parameters && is_plain) ||
                      (agrees && is_complete && has_parameters && !is_in_memory);
  return places;
}

} // namespace nophook
