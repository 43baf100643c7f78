// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/die_prototypes.h"
#include "analysis/entry_places.h"
#include "analysis/rust_assignment.h"
#include "analysis/rust_places.h"
#include "analysis/source_language.h"

#include "llvm/DebugInfo/DWARF/DWARFUnit.h"

namespace nophook::analysis {
namespace {

using llvm::DWARFDie;
namespace dwarf = llvm::dwarf;
using Dies = llvm::SmallVector<DWARFDie, 8>;

bool is_artificial(DWARFDie die) {
  return die.find(dwarf::DW_AT_artificial).has_value();
}

// Whether a parameter is a hidden one of a constructor or destructor of a class with virtual bases.
// Each form of such a function has other hidden parameters.
bool is_hidden(DWARFDie parameter) {
  return is_artificial(parameter) && name_of(parameter).starts_with("__");
}

// The parameters by the source, and whether the code has exactly these.
struct Parameters {
  Dies dies;
  Dies here; // the same ones, in the form of this code
  bool are_passed = true;
  bool is_variadic = false;
};

Parameters parameters_of(const Signature &signature) {
  Parameters result;
  result.dies = result.here = formal_parameters(signature.source);
  for (DWARFDie child : signature.source.children())
    result.is_variadic |= child.getTag() == dwarf::DW_TAG_unspecified_parameters;
  if (signature.die == signature.source)
    return result;
  Dies own;
  result.here = formal_parameters(signature.die);
  for (DWARFDie parameter : result.here)
    own.push_back(parameter.getAttributeValueAsReferencedDie(dwarf::DW_AT_abstract_origin));
  Dies visible;
  for (DWARFDie parameter : result.dies)
    if (!is_hidden(parameter) || llvm::is_contained(own, parameter))
      visible.push_back(parameter);
  result.are_passed = own == visible;
  result.dies = visible;
  result.here.resize(visible.size());
  return result;
}

// The type of a parameter without a `const` that the source does not have: gcc adds it to `this`
// and references, which do not change.
DWARFDie parameter_type(DWARFDie parameter) {
  const DWARFDie type = type_of(parameter);
  if (!type || type.getTag() != dwarf::DW_TAG_const_type)
    return type;
  const DWARFDie inner = type_of(type);
  const bool is_reference = inner && (inner.getTag() == dwarf::DW_TAG_reference_type ||
                                      inner.getTag() == dwarf::DW_TAG_rvalue_reference_type);
  return is_reference || is_artificial(parameter) ? inner : type;
}

// DWARF's number of the register that holds a value, if one register does.
std::optional<unsigned> register_of(const Pieces &pieces, unsigned first_vector) {
  if (pieces.size() != 1)
    return std::nullopt;
  const uint32_t place = pieces[0].place, number = NOPHOOK_PLACE_NUMBER(place);
  switch (NOPHOOK_PLACE_WHERE(place)) {
  case NOPHOOK_PLACE_GENERAL:
    return number;
  case NOPHOOK_PLACE_SSE:
    return first_vector + number;
  default:
    return std::nullopt;
  }
}

// The place of a parameter in a function whose signature the optimizer has changed to the
// parameters `own`. A parameter that is not among them is removed.
Pieces pieces_at_entry(llvm::ArrayRef<DWARFDie> own, DWARFDie parameter, const Pieces &assigned,
                       uint64_t entry, unsigned first_vector) {
  constexpr Piece kRemoved = {NOPHOOK_PLACE(NOPHOOK_PLACE_REMOVED, 0, 0, 0), 0, 0};
  if (assigned.empty())
    return {}; // no data
  const auto *here = llvm::find_if(own, [&](DWARFDie die) {
    return die.getAttributeValueAsReferencedDie(dwarf::DW_AT_abstract_origin) == parameter;
  });
  if (here == own.end())
    return {kRemoved};
  uint64_t bytes = 0;
  for (const Piece &piece : assigned)
    bytes = std::max(bytes, piece.at + piece.bytes);
  const EntryPlace place = place_at_entry(*here, bytes, entry, first_vector);
  if (place.pieces)
    return *place.pieces;
  return {place.is_absent ? kRemoved : unknown_piece()};
}

// Whether the DIE's unit has alignments. DWARF had none before version 5. gcc writes them
// nevertheless, unless it must be strict.
bool tells_alignment(DWARFDie die) {
  llvm::DWARFUnit *unit = die.getDwarfUnit();
  const char *producer = dwarf::toString(unit->getUnitDIE().find(dwarf::DW_AT_producer), nullptr);
  return unit->getVersion() >= 5 || !producer ||
         !llvm::StringRef(producer).contains("-gstrict-dwarf");
}

} // namespace

bool has_parameters(const Signature &signature) {
  return !language_of(signature.source).is_c ||
         signature.source.find(dwarf::DW_AT_prototyped).has_value();
}

// By the convention of its CPU.
uint32_t Prototypes::add_assigned(const Signature &signature, uint32_t flags, Places places) {
  const std::unique_ptr<Assignment> assignment = code_.assignment();
  const unsigned first_vector = code_.machine.first_vector;
  const DWARFDie source = signature.source;
  const SourceLanguage language = language_of(source);
  const bool is_c = language.is_c;
  const Parameters parameters = parameters_of(signature);
  bool has_places = places == Places::kConvention && parameters.are_passed &&
                    language.convention == Convention::kC && tells_alignment(source);
  const bool is_changed = (places == Places::kEntry || places == Places::kEntryWithResult) &&
                          language.convention == Convention::kC;
  if (parameters.is_variadic)
    flags |= NOPHOOK_PROTOTYPE_VARIADIC;
  if (source.findRecursively({dwarf::DW_AT_noreturn}))
    flags |= NOPHOOK_PROTOTYPE_NEVER_RETURNS;
  if (!is_c)
    flags |= NOPHOOK_PROTOTYPE_CAN_UNWIND;

  PlacedValue result;
  if (const auto type = source.findRecursively({dwarf::DW_AT_type})) {
    const DWARFDie die = source.getAttributeValueAsReferencedDie(*type);
    result.type = types_.describe(die, is_c);
    result.pieces = assignment->result(die);
  }
  llvm::SmallVector<PlacedValue, 8> values;
  for (size_t i = 0; i < parameters.dies.size(); i++) {
    const DWARFDie parameter = parameters.dies[i], type = parameter_type(parameter);
    PlacedValue value;
    value.name = table_.text(name_of(parameter));
    value.type = types_.describe(type, is_c);
    value.pieces = assignment->argument(type);
    if (const auto expected = has_places ? register_of(value.pieces, first_vector) : std::nullopt)
      has_places = locations_.first_register(parameters.here[i]).value_or(*expected) == *expected;
    values.push_back(std::move(value));
  }
  auto forget_place = [](PlacedValue &value) {
    if (!value.pieces.empty())
      value.pieces = {unknown_piece()};
  };
  if (is_changed) {
    const auto own = formal_parameters(signature.die);
    const auto address = signature.die.find(dwarf::DW_AT_low_pc);
    const uint64_t entry = address ? address->getAsAddress().value_or(0) : 0;
    for (size_t i = 0; i < values.size(); i++)
      values[i].pieces =
          pieces_at_entry(own, parameters.dies[i], values[i].pieces, entry, first_vector);
    if (places == Places::kEntry)
      forget_place(result);
  } else if (!has_places) {
    forget_place(result);
    llvm::for_each(values, forget_place);
  }
  return uint32_t(write_prototype(table_, flags, result, values));
}

uint32_t Prototypes::add_rust(const Signature &signature, uint32_t flags, bool is_local) {
  const DWARFDie source = signature.source;
  const Parameters parameters = parameters_of(signature);
  RustAssignment assignment(code_.rust);
  PlacedValue result;
  if (const auto type = source.findRecursively({dwarf::DW_AT_type})) {
    const DWARFDie die = source.getAttributeValueAsReferencedDie(*type);
    result.type = types_.describe(die, /*is_c=*/false);
    result.pieces = assignment.result(die);
  }
  llvm::SmallVector<PlacedValue, 8> values;
  llvm::SmallVector<Pieces, 8> assigned;
  for (const DWARFDie parameter : parameters.dies) {
    PlacedValue value;
    value.name = table_.text(name_of(parameter));
    value.type = types_.describe(type_of(parameter), /*is_c=*/false);
    assigned.push_back(assignment.argument(type_of(parameter)));
    values.push_back(std::move(value));
  }
  RustPlaces places;
  if (parameters.are_passed && code_.rust.proves_places) {
    const auto address = signature.die.find(dwarf::DW_AT_low_pc);
    const uint64_t entry = address ? address->getAsAddress().value_or(0) : 0;
    places = proved_places(parameters.here, assigned, result.pieces, entry, is_local);
  } else {
    places.arguments.assign(values.size(), {unknown_piece()});
  }
  for (size_t i = 0; i < values.size(); i++)
    values[i].pieces = places.arguments[i];
  if (!places.has_result && !result.pieces.empty())
    result.pieces = {unknown_piece()};
  return uint32_t(write_prototype(table_, flags | NOPHOOK_PROTOTYPE_CAN_UNWIND, result, values));
}

uint32_t Prototypes::add(const Signature &signature, uint32_t flags, Places places, bool is_local) {
  if (language_of(signature.source).convention == Convention::kRust)
    return add_rust(signature, flags, is_local);
  return add_assigned(signature, flags, places);
}

void Prototypes::add_import(llvm::StringRef name, uint32_t call, uint32_t flags,
                            const Signature *signature) {
  const uint32_t prototype = signature ? add(*signature, 0, Places::kConvention, false) : 0;
  LinkedRecord record;
  record.add(NOPHOOK_HEAD(NOPHOOK_RECORD_IMPORT, sizeof(nophook_import)));
  record.add(table_.text(name));
  record.add(call);
  record.add(prototype);
  record.add(flags);
  const uint64_t hash = record.hash();
  table_.record(std::move(record), hash, "import");
}

} // namespace nophook::analysis
