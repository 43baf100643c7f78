// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/rust_places.h"

#include "analysis/entry_places.h"

namespace nophook::analysis {

using llvm::DWARFDie;

namespace {

constexpr unsigned kFirstSse = 17;

// The place of a parameter. Code that is not optimized copies each argument to the stack, except
// arguments that come by address: their place begins behind the prologue.
EntryPlace place_of(DWARFDie parameter, const Pieces &assigned, uint64_t entry) {
  uint64_t bytes = 0;
  for (const Piece &piece : assigned)
    bytes = std::max(bytes, piece.at + piece.bytes);
  EntryPlace place = place_at_entry(parameter, bytes, entry, kFirstSse);
  const bool is_by_address =
      assigned.size() == 1 && NOPHOOK_PLACE_WHERE(assigned[0].place) == NOPHOOK_PLACE_AT_GENERAL;
  place.is_frame |= is_by_address && place.first && is_same(*place.first, assigned);
  return place;
}

} // namespace

RustPlaces proved_places(llvm::ArrayRef<DWARFDie> parameters, llvm::ArrayRef<Pieces> assigned,
                         const Pieces &result, uint64_t entry, bool is_local) {
  RustPlaces places;
  bool is_plain = true, agrees = true, is_complete = true;
  llvm::SmallVector<EntryPlace, 8> found;
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

} // namespace nophook::analysis
