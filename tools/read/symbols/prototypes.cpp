// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads records with checks of every offset, and types at the first link to them.

#include "read/symbols/prototypes.h"

#include <nophook/site.h>

#include <cstring>
#include <fmt/format.h>

namespace nophook {

namespace {

constexpr unsigned kDeepestType = 64; // deepest type; the plugin stops earlier

// Offsets of the records' fields; the structs are the contract.
constexpr size_t kTypeWords = sizeof(nophook_type);
constexpr size_t kPrototypeBytes = sizeof(nophook_prototype);

} // namespace

bool Prototypes::check(bool is_good, Offset at, const char *problem) {
  if (!is_good && damage_.empty())
    damage_ = fmt::format("{}+{:#x}: {}", NOPHOOK_PROTO_SECTION, at, problem);
  return is_good;
}

uint32_t Prototypes::word(Offset at) const {
  uint32_t value;
  std::memcpy(&value, tables_.prototypes.bytes.data() + at, sizeof value);
  return value;
}

std::string_view Prototypes::text(Offset link) {
  int32_t distance = (int32_t)word(link);
  if (distance == 0)
    return {};
  auto text = tables_.text_at(tables_.prototypes.address + link + (uint64_t)(int64_t)distance);
  check(text.has_value(), link, "a name lies outside of the file");
  return text.value_or("");
}

// The place of the type that a link names; nothing: there is none, or there are two.
std::optional<Prototypes::Offset> Prototypes::type_at(Offset link) const {
  const auto value = (int32_t)word(link);
  if (!NOPHOOK_IS_TYPE_ID(value))
    return link + (Offset)(int64_t)value; // the sum wraps for garbage, and is out of range then
  const auto found = types_by_id_.find((uint32_t)value);
  if (found == types_by_id_.end() || found->second.is_ambiguous)
    return std::nullopt;
  return found->second.at;
}

const Type *Prototypes::type(Offset link, unsigned depth) {
  const std::optional<Offset> place = word(link) ? type_at(link) : std::nullopt;
  if (!place)
    return nullptr;
  const Offset at = *place;
  if (!check(at % 4 == 0 && at < tables_.prototypes.bytes.size(), link,
             "a type lies outside of the table"))
    return nullptr;
  auto [found, is_new] = types_.try_emplace(at);
  if (!is_new)
    return found->second.get();
  if (!check(depth < kDeepestType, at, "types are nested too deeply"))
    return nullptr;
  auto result = std::make_unique<Type>();
  if (!read_type(at, result.get(), depth))
    return nullptr;
  return (types_[at] = std::move(result)).get();
}

bool Prototypes::read_type(Offset at, Type *type, unsigned depth) {
  size_t left = tables_.prototypes.bytes.size() - at;
  if (!check(left >= kTypeWords, at, "a type is cut off"))
    return false;
  nophook_type raw;
  std::memcpy(&raw, tables_.prototypes.bytes.data() + at, sizeof raw);
  const uint32_t record = NOPHOOK_HEAD_RECORD(raw.head);
  size_t bytes = sizeof raw + raw.members * sizeof(nophook_member) +
                 (record == NOPHOOK_RECORD_TYPE ? NOPHOOK_TYPE_ID_BYTES : 0);
  if (!check(record == NOPHOOK_RECORD_TYPE || record == NOPHOOK_RECORD_LINKED_TYPE, at,
             "is not a type") ||
      !check(NOPHOOK_HEAD_BYTES(raw.head) == bytes && bytes <= left, at, "a type is cut off"))
    return false;
  type->kind = raw.kind <= NOPHOOK_KIND_VARIANT ? raw.kind : NOPHOOK_KIND_OPAQUE;
  type->has_more = raw.flags & NOPHOOK_TYPE_MORE;
  type->has_default = raw.flags & NOPHOOK_TYPE_DEFAULT;
  type->bytes = raw.bytes;
  type->name = text(at + offsetof(nophook_type, name));
  type->element = this->type(at + offsetof(nophook_type, element), depth + 1);
  for (unsigned i = 0; i < raw.members; i++) {
    Offset member = at + sizeof raw + i * sizeof(nophook_member);
    TypeMember result;
    result.name = text(member + offsetof(nophook_member, name));
    result.type = this->type(member + offsetof(nophook_member, type), depth + 1);
    result.bit = word(member + offsetof(nophook_member, low));
    result.bits = word(member + offsetof(nophook_member, high));
    result.value = result.bit | (uint64_t)result.bits << 32;
    type->members.push_back(result);
  }
  return true;
}

void Prototypes::read_prototype(Offset at, size_t bytes) {
  if (!check(bytes >= kPrototypeBytes, at, "a prototype is cut off"))
    return;
  nophook_prototype raw;
  std::memcpy(&raw, tables_.prototypes.bytes.data() + at, sizeof raw);
  if (!check(bytes == sizeof raw + raw.parameters * sizeof(nophook_parameter) +
                          raw.pieces * sizeof(nophook_piece),
             at, "a prototype's size does not fit its parameters"))
    return;
  Offset piece = at + sizeof raw + raw.parameters * sizeof(nophook_parameter);
  Offset end = at + bytes;
  auto place = [&](Offset link_to_type, Offset where, PlacedValue *value) {
    value->type = type(link_to_type, 0);
    value->place = word(where);
    if (NOPHOOK_PLACE_WHERE(value->place) != NOPHOOK_PLACE_PIECES)
      return;
    for (unsigned i = 0; i < NOPHOOK_PLACE_NUMBER(value->place); i++) {
      if (!check(piece < end, where, "a value has more pieces than its record"))
        return;
      uint32_t range = word(piece + 4);
      value->pieces.push_back({word(piece), range & 0xffff, range >> 16});
      piece += sizeof(nophook_piece);
    }
  };
  Prototype result;
  result.id = raw.id_low | (uint64_t)raw.id_high << 32;
  result.flags = raw.flags;
  place(at + offsetof(nophook_prototype, result), at + offsetof(nophook_prototype, result_place),
        &result.result);
  for (unsigned i = 0; i < raw.parameters; i++) {
    Offset parameter = at + sizeof raw + i * sizeof(nophook_parameter);
    PlacedValue value;
    value.name = text(parameter + offsetof(nophook_parameter, name));
    place(parameter + offsetof(nophook_parameter, type),
          parameter + offsetof(nophook_parameter, place), &value);
    result.parameters.push_back(std::move(value));
  }
  auto [found, is_new] = prototypes_.try_emplace(raw.id_low, std::move(result));
  if (!is_new && found->second.id != (raw.id_low | (uint64_t)raw.id_high << 32))
    ambiguous_[raw.id_low] = true;
}

void Prototypes::read_import(Offset at, size_t bytes) {
  nophook_import raw;
  if (!check(bytes >= sizeof raw, at, "a record of an import is too short"))
    return;
  std::memcpy(&raw, &tables_.prototypes.bytes[at], sizeof raw);
  imports_.emplace(text(at + offsetof(nophook_import, name)), raw);
}

std::vector<nophook_import> Prototypes::imports(const std::string &name) const {
  std::vector<nophook_import> found;
  for (auto [at, end] = imports_.equal_range(name); at != end; ++at)
    found.push_back(at->second);
  return found;
}

const Prototype *Prototypes::of_import(const std::string &name) const {
  for (const nophook_import &import : imports(name))
    if (const Prototype *found = find(import.prototype))
      return found;
  return nullptr;
}

// Notes a type's id, its last two words.
void Prototypes::name_type(Offset at, size_t bytes) {
  if (!check(bytes >= kTypeWords + NOPHOOK_TYPE_ID_BYTES, at, "a type is cut off"))
    return;
  const uint32_t low = word(at + bytes - 8), high = word(at + bytes - 4);
  const auto [found, is_new] = types_by_id_.try_emplace(low, NamedType{at, high, false});
  if (!is_new && found->second.id_high != high)
    found->second.is_ambiguous = true;
}

// Calls visit(record, offset, bytes) for each record, up to the first that is damaged.
template <class Visit> void Prototypes::each_record(Visit visit) {
  const size_t size = tables_.prototypes.bytes.size();
  for (Offset at = 0; at < size;) {
    if (!check(size - at >= 4, at, "a record is cut off"))
      return;
    uint32_t head = word(at);
    size_t bytes = NOPHOOK_HEAD_BYTES(head);
    if (!check(bytes >= 4 && bytes % 4 == 0 && bytes <= size - at, at,
               "a record's length is damaged"))
      return;
    visit(NOPHOOK_HEAD_RECORD(head), at, bytes);
    at += bytes;
  }
}

Prototypes::Prototypes(DescriptorTables tables) : tables_(std::move(tables)) {
  each_record([&](uint32_t record, Offset at, size_t bytes) {
    if (record == NOPHOOK_RECORD_TYPE)
      name_type(at, bytes);
  });
  each_record([&](uint32_t record, Offset at, size_t bytes) {
    if (record == NOPHOOK_RECORD_PROTOTYPE || record == NOPHOOK_RECORD_LINKED_PROTOTYPE)
      read_prototype(at, bytes);
    else if (record == NOPHOOK_RECORD_IMPORT)
      read_import(at, bytes);
  });
}

const Prototype *Prototypes::find(uint32_t id_low) const {
  auto found = prototypes_.find(id_low);
  return id_low && found != prototypes_.end() && !ambiguous_.contains(id_low) ? &found->second
                                                                              : nullptr;
}

} // namespace nophook
