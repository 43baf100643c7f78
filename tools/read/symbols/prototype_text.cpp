// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prototypes as text.

#include "read/symbols/prototypes.h"

#include "machine/machine.h"

#include <cstring>
#include <fmt/format.h>

namespace nophook {

// Joins a type and a name: `int (*)(long)` and `callback` are `int (*callback)(long)`.
static std::string declared(std::string type, const std::string &name) {
  for (const char *wrapped : {"(*)", "(&)", "(&&)"})
    if (size_t at = type.find(wrapped); at != std::string::npos)
      return type.insert(at + std::strlen(wrapped) - 1, name);
  if (name.empty())
    return type;
  return type + (type.ends_with("*") || type.ends_with("&") ? "" : " ") + name;
}

std::string declaration(const Prototype &prototype, const std::string &function) {
  auto name_of = [](const Type *type) { return type ? printable(type->name) : std::string("?"); };
  std::string result = prototype.result.type ? name_of(prototype.result.type) : "void";
  std::string text = function + "(";
  for (size_t i = 0; i < prototype.parameters.size(); i++) {
    const PlacedValue &parameter = prototype.parameters[i];
    text += (i ? ", " : "") + declared(name_of(parameter.type), printable(parameter.name));
  }
  if (prototype.flags & NOPHOOK_PROTOTYPE_VARIADIC)
    text += prototype.parameters.empty() ? "..." : ", ...";
  return declared(result, text + ")");
}

static std::string general_name(const Machine *machine, uint32_t number) {
  const std::string name = machine ? machine->general_name(number) : "";
  return name.empty() ? "?" : name;
}

static std::string one_place(uint32_t place, uint32_t processor) {
  uint32_t number = NOPHOOK_PLACE_NUMBER(place);
  const Machine *machine = find_machine(processor);
  const std::string general = general_name(machine, number);
  switch (NOPHOOK_PLACE_WHERE(place)) {
  case NOPHOOK_PLACE_NOWHERE:
    return "nowhere";
  case NOPHOOK_PLACE_REMOVED:
    return "optimized out";
  case NOPHOOK_PLACE_GENERAL:
    return general;
  case NOPHOOK_PLACE_SSE:
    return fmt::format("{}{}", machine ? machine->vector_prefix : "v", number);
  case NOPHOOK_PLACE_X87:
    return fmt::format("st{}", number);
  case NOPHOOK_PLACE_STACK:
    return fmt::format("stack+{}", NOPHOOK_PLACE_OFFSET(place));
  case NOPHOOK_PLACE_AT_GENERAL:
    return "*" + general;
  case NOPHOOK_PLACE_AT_STACK:
    return fmt::format("*stack+{}", NOPHOOK_PLACE_OFFSET(place));
  default:
    return "unknown";
  }
}

std::string place_text(const PlacedValue &value, uint32_t processor) {
  if (NOPHOOK_PLACE_WHERE(value.place) != NOPHOOK_PLACE_PIECES || value.pieces.empty())
    return one_place(value.place, processor);
  std::string text;
  for (const PlacedPiece &piece : value.pieces)
    text +=
        (text.empty() ? "" : ":") + one_place(piece.place, processor) +
        (NOPHOOK_PLACE_FLAGS(piece.place) & ~NOPHOOK_PLACE_FLAGS(value.place) & NOPHOOK_PLACE_UNUSED
             ? "?"
             : "");
  return text;
}

const char *convention_text(const Prototype &prototype) {
  static constexpr const char *kNames[] = {
      "C",       "fast",       "cold",  "preserve_most", "preserve_all", "preserve_none",
      "regcall", "vectorcall", "swift", "swifttail",     "tail",         "ghc",
      "win64"};
  uint32_t convention = prototype.flags >> 24;
  return convention < std::size(kNames) ? kNames[convention] : "other";
}

const char *kind_text(const Type &type) {
  static constexpr const char *kNames[] = {"opaque", "integer", "signed",    "unsigned", "bool",
                                           "char",   "pointer", "reference", "C string", "string",
                                           "float",  "bfloat",  "x87",       "complex",  "vector",
                                           "array",  "enum",    "struct",    "union",    "variant"};
  return type.kind < std::size(kNames) ? kNames[type.kind] : "opaque";
}

} // namespace nophook
