// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types and prototypes as records, once their contents are known.

#ifndef NOPHOOK_PROTOTYPES_SHAPES_H
#define NOPHOOK_PROTOTYPES_SHAPES_H

#include "record_table.h"

#include "nophook/prototype.h"

namespace nophook::prototypes {

// The contents of a type's record, without its name.
struct Shape {
  struct Member {
    Target name, type;
    uint64_t low_high;
  };
  uint8_t kind = NOPHOOK_KIND_OPAQUE;
  uint64_t bytes = 0;
  Target element;
  llvm::SmallVector<Member, 8> members;
  bool is_empty = false;
  bool has_more = false;
  bool has_default = false; // whether the last case of a variant is that of all other numbers
};

// A type whose record is written. Without a target: void, or an unknown type.
struct Described {
  Target target;
  uint8_t kind = NOPHOOK_KIND_OPAQUE;
  uint64_t bytes = 0;
  bool is_empty = false;         // whether it is a class without data, which is not passed
  bool is_whole_integer = false; // whether all bits of its bytes count
};

Described write_type(RecordTable &table, const Shape &shape, llvm::StringRef name);
Target simple_type(RecordTable &table, uint8_t kind, uint64_t bytes, llvm::StringRef name);
Shape::Member field(RecordTable &table, llvm::StringRef name, Target type, uint64_t bit,
                    uint64_t bits);

// Bytes [at, at + bytes) of a value, and their place (a NOPHOOK_PLACE).
struct Piece {
  uint32_t place;
  uint64_t at;
  uint64_t bytes;
};
// The pieces of a value. None: there is no data. A value that is not understood: unknown_piece().
using Pieces = llvm::SmallVector<Piece, 2>;

inline Piece unknown_piece() {
  return {NOPHOOK_PLACE(NOPHOOK_PLACE_UNKNOWN, 0, 0, 0), 0, 0};
}
bool is_unknown(const Pieces &pieces);

// A parameter or a return value.
struct PlacedValue {
  Target name;
  Described type;
  Pieces pieces;
  uint32_t flags = 0; // flags of its place
};

// Writes a prototype. Parameters beyond NOPHOOK_MAX_PARAMETERS are left out. Returns the record's
// id.
uint64_t write_prototype(RecordTable &table, uint32_t flags, const PlacedValue &result,
                         llvm::ArrayRef<PlacedValue> parameters);

} // namespace nophook::prototypes

#endif // NOPHOOK_PROTOTYPES_SHAPES_H
