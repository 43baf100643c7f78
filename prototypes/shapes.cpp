// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays out the words of records, and adds them to the table.

#include "shapes.h"

#include "llvm/ADT/STLExtras.h"

namespace nophook::prototypes {
namespace {

uint32_t place(nophook_where where) {
  return NOPHOOK_PLACE(where, 0, 0, 0);
}

bool is_integer(uint8_t kind) {
  return kind == NOPHOOK_KIND_SIGNED || kind == NOPHOOK_KIND_UNSIGNED ||
         kind == NOPHOOK_KIND_CHAR || kind == NOPHOOK_KIND_ENUM;
}

// The word for a place, and in `more` the pieces that do not fit into it.
uint32_t place_of(const PlacedValue &value, llvm::SmallVectorImpl<Piece> &more) {
  const Pieces &pieces = value.pieces;
  const uint32_t flags = value.flags << 4;
  if (pieces.empty())
    return place(NOPHOOK_PLACE_NOWHERE) | flags;
  const uint32_t where = NOPHOOK_PLACE_WHERE(pieces[0].place);
  const bool is_whole = pieces.size() == 1 && pieces[0].at == 0 &&
                        (pieces[0].bytes >= value.type.bytes || where == NOPHOOK_PLACE_X87 ||
                         where == NOPHOOK_PLACE_REMOVED || where == NOPHOOK_PLACE_STACK);
  if (is_whole)
    return pieces[0].place | flags;
  const bool fits = llvm::all_of(pieces, [](const Piece &piece) {
    return piece.at <= UINT16_MAX && piece.bytes <= UINT16_MAX;
  });
  if (is_unknown(pieces) || !fits || pieces.size() > UINT8_MAX)
    return place(NOPHOOK_PLACE_UNKNOWN);
  more.append(pieces.begin(), pieces.end());
  return NOPHOOK_PLACE(NOPHOOK_PLACE_PIECES, 0, pieces.size(), 0) | flags;
}

} // namespace

bool is_unknown(const Pieces &pieces) {
  return llvm::any_of(pieces, [](const Piece &piece) {
    return NOPHOOK_PLACE_WHERE(piece.place) == NOPHOOK_PLACE_UNKNOWN;
  });
}

Described write_type(RecordTable &table, const Shape &shape, llvm::StringRef name) {
  LinkedRecord record;
  const size_t members = std::min<size_t>(shape.members.size(), NOPHOOK_MAX_MEMBERS);
  const bool has_more = shape.has_more || members < shape.members.size();
  record.add(NOPHOOK_HEAD(NOPHOOK_RECORD_TYPE, sizeof(nophook_type) +
                                                   members * sizeof(nophook_member) +
                                                   NOPHOOK_TYPE_ID_BYTES));
  const uint32_t flags =
      (has_more ? NOPHOOK_TYPE_MORE : 0u) | (shape.has_default ? NOPHOOK_TYPE_DEFAULT : 0u);
  record.add(uint32_t(shape.kind) | flags << 8 | uint32_t(members) << 16);
  record.add(uint32_t(std::min<uint64_t>(shape.bytes, UINT32_MAX)));
  record.add(table.text(name));
  record.add(shape.element);
  for (const Shape::Member &member : llvm::ArrayRef(shape.members).take_front(members)) {
    record.add(member.name);
    record.add(member.type);
    record.add(uint32_t(member.low_high));
    record.add(uint32_t(member.low_high >> 32));
  }
  const uint64_t hash = record.hash();
  record.add(type_id(hash));
  record.add(uint32_t(hash >> 32));
  return {table.record(std::move(record), hash, "type"), shape.kind, shape.bytes, shape.is_empty,
          is_integer(shape.kind) && shape.members.empty()};
}

Target simple_type(RecordTable &table, uint8_t kind, uint64_t bytes, llvm::StringRef name) {
  Shape shape;
  shape.kind = kind;
  shape.bytes = bytes;
  return write_type(table, shape, name).target;
}

Shape::Member field(RecordTable &table, llvm::StringRef name, Target type, uint64_t bit,
                    uint64_t bits) {
  return {table.text(name), type, uint64_t(uint32_t(bit)) | bits << 32};
}

uint64_t write_prototype(RecordTable &table, uint32_t flags, const PlacedValue &result,
                         llvm::ArrayRef<PlacedValue> parameters) {
  parameters = parameters.take_front(NOPHOOK_MAX_PARAMETERS);
  LinkedRecord record;
  llvm::SmallVector<Piece, 8> pieces;
  record.words.resize(5);
  record.words[3] = flags;
  record.add(result.type.target);
  record.add(place_of(result, pieces));
  for (const PlacedValue &parameter : parameters) {
    record.add(parameter.name);
    record.add(parameter.type.target);
    record.add(place_of(parameter, pieces));
  }
  for (const Piece &piece : pieces) {
    record.add(piece.place);
    record.add(uint32_t(piece.at) | uint32_t(piece.bytes) << 16);
  }
  record.words[0] = NOPHOOK_HEAD(NOPHOOK_RECORD_PROTOTYPE, record.words.size() * sizeof(uint32_t));
  record.words[4] = uint32_t(parameters.size()) | uint32_t(pieces.size()) << 16;
  uint64_t id = record.hash();
  if (uint32_t(id) == 0)
    id |= 1; // the id 0 means that there is no prototype
  record.words[1] = uint32_t(id);
  record.words[2] = uint32_t(id >> 32);
  table.record(std::move(record), id, "proto");
  return id;
}

} // namespace nophook::prototypes
