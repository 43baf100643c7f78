// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows a prototype's places and types to the steps that fetch a value.

#include "events/argument_place.h"

#include "arch/callback_path.h"
#include "arch/vectors.h"
#include "capture/prototype_table.h"

namespace nophook {
namespace {

using Regs = Arch::Regs;

constexpr char kNotFound[] = "This variable is not found at this probe point";

const ValueType *type_of(const nophook_type *type) {
  if (!type)
    return nullptr;
  Text<8> name;
  switch (type->kind) {
  case NOPHOOK_KIND_SIGNED:
  case NOPHOOK_KIND_ENUM:
    name.add("s");
    break;
  case NOPHOOK_KIND_UNSIGNED:
  case NOPHOOK_KIND_BOOL:
    name.add("u");
    break;
  case NOPHOOK_KIND_CHAR:
    name.add(type->bytes == 1 ? "char" : "u");
    break;
  default:
    name.add("x");
  }
  if (name.size() == 1)
    name.number(type->bytes * uint64_t{8});
  return find_type(name.c_str(), name.size());
}

const char *linked_text(const int32_t &link) {
  return link ? reinterpret_cast<const char *>(&link) + link : nullptr;
}

bool is_text(const int32_t &link, const char *name, uint64_t bytes) {
  const char *text = linked_text(link);
  return text && text_length(text) == bytes && equal_bytes(text, name, bytes);
}

} // namespace

const char *parameter_name(const FetchScope &scope, uint32_t number) {
  return linked_text(PrototypeTable::parameters(scope.prototype)[number].name);
}

void ArgumentPlace::add(FetchStep::What what, int64_t value) {
  if (step_count == sizeof steps / sizeof *steps)
    error = "Dereference is too much nested";
  else
    steps[step_count++] = {what, value};
}

void ArgumentPlace::put(const FetchScope &scope, uint32_t place, const int32_t &link) {
  uint32_t number = NOPHOOK_PLACE_NUMBER(place);
  int64_t behind = (int64_t)(Regs::kReturnSlotBytes + NOPHOOK_PLACE_OFFSET(place));
  type = type_of(scope.table->type(link));
  switch (NOPHOOK_PLACE_WHERE(place)) {
  case NOPHOOK_PLACE_GENERAL:
  case NOPHOOK_PLACE_AT_GENERAL:
    add(FetchStep::kRegister, Regs::kByDwarfNumber[number % kValueRegisters]);
    break;
  case NOPHOOK_PLACE_SSE:
    add(FetchStep::kVector, number % kVectorRegisters);
    break;
  case NOPHOOK_PLACE_STACK:
  case NOPHOOK_PLACE_AT_STACK:
    add(FetchStep::kStackPointer, 0);
    add(FetchStep::kFollow, behind);
    break;
  case NOPHOOK_PLACE_PIECES:
    error = "Non pointer structure/union argument is not supported.";
    return;
  default:
    error = kNotFound;
    return;
  }
  uint32_t where = NOPHOOK_PLACE_WHERE(place);
  is_object = where == NOPHOOK_PLACE_AT_GENERAL || where == NOPHOOK_PLACE_AT_STACK;
  if (is_object)
    add(FetchStep::kFollow, 0);
}

ArgumentPlace argument_place(const FetchScope &scope, uint32_t number) {
  ArgumentPlace found;
  found.is_at_entry = true;
  if (scope.prototype && number < scope.prototype->parameters) {
    const nophook_parameter &parameter = PrototypeTable::parameters(scope.prototype)[number];
    found.put(scope, parameter.place, parameter.type);
    return found;
  }
  if (scope.prototype && !(scope.prototype->flags & NOPHOOK_PROTOTYPE_VARIADIC)) {
    found.error = "$argN index is too big";
    return found;
  }
  if (number < kArgumentRegisters) {
    found.add(FetchStep::kRegister, Regs::kArguments[number]);
    return found;
  }
  found.add(FetchStep::kStackPointer, 0);
  found.add(FetchStep::kFollow,
            (int64_t)(Regs::kReturnSlotBytes + 8 * uint64_t{number - kArgumentRegisters}));
  return found;
}

ArgumentPlace named_place(const FetchScope &scope, const char *name, uint64_t bytes) {
  const nophook_parameter *parameters = PrototypeTable::parameters(scope.prototype);
  for (uint32_t i = 0; i < scope.prototype->parameters; i++)
    if (is_text(parameters[i].name, name, bytes))
      return argument_place(scope, i);
  ArgumentPlace found;
  found.error = kNotFound;
  return found;
}

ArgumentPlace result_place(const FetchScope &scope) {
  ArgumentPlace found;
  if (!scope.prototype) {
    found.add(FetchStep::kRegister, Regs::kResult);
    return found;
  }
  if (NOPHOOK_PLACE_WHERE(scope.prototype->result_place) == NOPHOOK_PLACE_NOWHERE)
    found.error = "This function returns 'void' type";
  else
    found.put(scope, scope.prototype->result_place, scope.prototype->result);
  return found;
}

} // namespace nophook
