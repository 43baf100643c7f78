// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "prototypes.h"
#include "sysv_assignment.h"

#include "llvm/DebugInfo/DWARF/DWARFUnit.h"

namespace nophook {
namespace {

using llvm::DWARFDie;
namespace dwarf = llvm::dwarf;
using Dies = llvm::SmallVector<DWARFDie, 8>;

bool is_parameter(DWARFDie die) {
  return die.getTag() == dwarf::DW_TAG_formal_parameter;
}

bool is_artificial(DWARFDie die) {
  return die.find(dwarf::DW_AT_artificial).has_value();
}

// A constructor or destructor of a class with virtual bases: its source has hidden parameters of
// which each of its forms has others.
bool is_hidden(DWARFDie parameter) {
  return is_artificial(parameter) && name_of(parameter).starts_with("__");
}

// The parameters as the source has them, and whether the code has exactly these.
struct Parameters {
  Dies dies;
  bool are_passed = true;
  bool is_variadic = false;
};

Parameters parameters_of(const Signature &signature) {
  Parameters result;
  for (DWARFDie child : signature.source.children()) {
    if (is_parameter(child))
      result.dies.push_back(child);
    result.is_variadic |= child.getTag() == dwarf::DW_TAG_unspecified_parameters;
  }
  if (signature.die == signature.source)
    return result;
  Dies own;
  for (DWARFDie child : signature.die.children())
    if (is_parameter(child))
      own.push_back(child.getAttributeValueAsReferencedDie(dwarf::DW_AT_abstract_origin));
  Dies visible;
  for (DWARFDie parameter : result.dies)
    if (!is_hidden(parameter) || llvm::is_contained(own, parameter))
      visible.push_back(parameter);
  result.are_passed = own == visible;
  result.dies = visible;
  return result;
}

// The source has no `const` here: gcc says that `this` and references do not change.
DWARFDie parameter_type(DWARFDie parameter) {
  const DWARFDie type = type_of(parameter);
  if (!type || type.getTag() != dwarf::DW_TAG_const_type)
    return type;
  const DWARFDie inner = type_of(type);
  const bool is_reference = inner && (inner.getTag() == dwarf::DW_TAG_reference_type ||
                                      inner.getTag() == dwarf::DW_TAG_rvalue_reference_type);
  return is_reference || is_artificial(parameter) ? inner : type;
}

bool is_c_source(DWARFDie die) {
  const auto language = number_of(die.getDwarfUnit()->getUnitDIE(), dwarf::DW_AT_language, 0);
  return dwarf::isC(dwarf::SourceLanguage(language));
}

} // namespace

uint32_t Prototypes::add(const Signature &signature, uint32_t flags, bool has_places) {
  const DWARFDie source = signature.source;
  const bool is_c = is_c_source(source);
  const Parameters parameters = parameters_of(signature);
  has_places = has_places && parameters.are_passed;
  if (parameters.is_variadic)
    flags |= NOPHOOK_PROTOTYPE_VARIADIC;
  if (source.findRecursively({dwarf::DW_AT_noreturn}))
    flags |= NOPHOOK_PROTOTYPE_NEVER_RETURNS;
  if (!is_c)
    flags |= NOPHOOK_PROTOTYPE_CAN_UNWIND;

  SysVAssignment assignment;
  PlacedValue result;
  if (const auto type = source.findRecursively({dwarf::DW_AT_type})) {
    const DWARFDie die = source.getAttributeValueAsReferencedDie(*type);
    result.type = types_.describe(die, is_c);
    result.pieces = assignment.result(classify(die));
    if (!has_places && !result.pieces.empty())
      result.pieces = {unknown_piece()};
  }
  llvm::SmallVector<PlacedValue, 8> values;
  for (DWARFDie parameter : parameters.dies) {
    const DWARFDie type = parameter_type(parameter);
    PlacedValue value;
    value.name = table_.text(name_of(parameter));
    value.type = types_.describe(type, is_c);
    value.pieces = assignment.argument(classify(type));
    if (!has_places && !value.pieces.empty())
      value.pieces = {unknown_piece()};
    values.push_back(std::move(value));
  }
  return uint32_t(write_prototype(table_, flags, result, values));
}

} // namespace nophook
