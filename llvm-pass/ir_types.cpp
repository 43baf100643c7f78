// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of values from IR types alone.

#include "ir_types.h"

#include "parameter_marks.h"

#include "llvm/IR/DerivedTypes.h"

namespace nophook {

Described describe_ir(RecordTable &table, const llvm::Type *type, uint64_t bytes, bool is_signed,
                      bool is_unsigned) {
  Shape shape;
  shape.bytes = bytes;
  std::string name = text_of(type);
  if (type->isIntegerTy(1))
    shape.kind = NOPHOOK_KIND_BOOL;
  else if (type->isIntegerTy())
    shape.kind = is_signed     ? NOPHOOK_KIND_SIGNED
                 : is_unsigned ? NOPHOOK_KIND_UNSIGNED
                               : NOPHOOK_KIND_INTEGER;
  else if (type->isPointerTy())
    shape.kind = NOPHOOK_KIND_POINTER;
  else if (type->isX86_FP80Ty())
    shape.kind = NOPHOOK_KIND_X87;
  else if (type->isBFloatTy())
    shape.kind = NOPHOOK_KIND_BFLOAT;
  else if (type->isHalfTy() || type->isFloatTy() || type->isDoubleTy() || type->isFP128Ty())
    shape.kind = NOPHOOK_KIND_FLOAT;
  else if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const uint64_t element = vector->getScalarSizeInBits() / 8;
    if (element && element * vector->getNumElements() == bytes) {
      shape.kind = NOPHOOK_KIND_VECTOR;
      shape.element = describe_ir(table, vector->getElementType(), element, false, false).target;
    }
  }
  return write_type(table, shape, name);
}

} // namespace nophook
