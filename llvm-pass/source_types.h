// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPHOOK_LLVM_PASS_SOURCE_TYPES_H
#define NOPHOOK_LLVM_PASS_SOURCE_TYPES_H

#include "records.h"
#include "type_names.h"

#include "nophook/prototype.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace nophook {

// A type whose record is written. Without a target: void, or nothing is known.
struct Described {
  Target target;
  uint8_t kind = NOPHOOK_KIND_OPAQUE;
  uint64_t bytes = 0;
  bool is_empty = false;         // a class without data: passed nowhere
  bool is_whole_integer = false; // all bits of its bytes count
};

// Writes a nophook_type for each type of the debug info, or of the IR, that it is asked for.
class SourceTypes {
public:
  explicit SourceTypes(RecordWriter &writer) : writer_(writer) {}

  // `is_c`: names of tags begin with `struct` or the like.
  Described describe(const llvm::DIType *type, bool is_c);

  // Without debug info: a kind as far as the IR type and its extension tell.
  Described describe(const llvm::Type *type, uint64_t bytes, bool is_signed, bool is_unsigned);

private:
  struct Member {
    Target name, type;
    uint64_t low_high;
  };
  struct Shape {
    uint8_t kind = NOPHOOK_KIND_OPAQUE;
    uint64_t bytes = 0;
    Target element;
    llvm::SmallVector<Member, 8> members;
    bool is_empty = false;
    bool has_more = false;
  };

  Described write(const Shape &shape, llvm::StringRef name);
  Shape shape_of(const llvm::DIType &type, unsigned depth, bool is_c);
  Shape basic(const llvm::DIBasicType &type);
  Shape pointer(const llvm::DIDerivedType &type, unsigned depth, bool is_c);
  Shape member_pointer(const llvm::DIDerivedType &type);
  Shape enumeration(const llvm::DICompositeType &type, unsigned depth, bool is_c);
  Shape array(const llvm::DICompositeType &type, unsigned depth, bool is_c);
  Shape aggregate(const llvm::DICompositeType &type, unsigned depth, bool is_c);
  std::optional<Shape> text(const llvm::DICompositeType &type);
  Member field(llvm::StringRef name, Target type, uint64_t bit, uint64_t bits);
  Described describe(const llvm::DIType *type, unsigned depth, bool is_c);
  Target simple(uint8_t kind, uint64_t bytes, llvm::StringRef name);

  RecordWriter &writer_;
  TypeNames names_;
  llvm::DenseMap<const llvm::DIType *, Described> described_;
  llvm::SmallPtrSet<const llvm::DIType *, 8> open_; // in work, outermost first
};

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_SOURCE_TYPES_H
