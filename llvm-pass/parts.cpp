// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breaks types into register types with the public part of the target.

#include "parts.h"

#include "llvm/CodeGen/Analysis.h"

#include <algorithm>

namespace nophook {
namespace {

// The bytes of the value that part number `i` holds; only where parts are plain slices of it.
std::optional<Piece> slice(const Parts &parts, unsigned i) {
  const uint64_t total = parts.type.getStoreSize().getFixedValue();
  const uint64_t bytes = parts.part.getStoreSize().getFixedValue();
  const bool is_slice =
      parts.count == 1 || (parts.type.isScalarInteger() && parts.part == llvm::MVT::i64) ||
      (parts.type.isVector() && parts.part.isVector() && total == bytes * parts.count &&
       parts.part.getScalarType() == parts.type.getScalarType().getSimpleVT());
  const bool is_promoted = parts.type.isVector() &&
                           (!parts.part.isVector() ||
                            parts.part.getScalarSizeInBits() != parts.type.getScalarSizeInBits());
  if (!is_slice || (is_promoted && parts.type.getVectorNumElements() != 1))
    return std::nullopt;
  if (!parts.type.isVector() && parts.type.isFloatingPoint() &&
      parts.part.getSizeInBits() != parts.type.getSizeInBits())
    return std::nullopt; // half without its own registers is a float
  return Piece{0, parts.at + i * bytes, std::min(bytes, total - std::min(total, i * bytes))};
}

} // namespace

llvm::SmallVector<Parts, 4> break_up(llvm::Type *type, const llvm::Function &function,
                                     const llvm::TargetLowering &lowering) {
  llvm::SmallVector<llvm::EVT, 4> types;
  llvm::SmallVector<uint64_t, 4> offsets;
  llvm::ComputeValueVTs(lowering, function.getDataLayout(), type, types, nullptr, &offsets, 0);
  llvm::LLVMContext &context = function.getContext();
  const llvm::CallingConv::ID convention = function.getCallingConv();
  llvm::SmallVector<Parts, 4> all;
  for (size_t i = 0; i < types.size(); i++)
    all.push_back({types[i], lowering.getRegisterTypeForCallingConv(context, convention, types[i]),
                   lowering.getNumRegistersForCallingConv(context, convention, types[i]),
                   offsets[i]});
  return all;
}

void add_piece(Pieces &pieces, const Parts &parts, unsigned i, uint32_t place) {
  std::optional<Piece> piece = slice(parts, i);
  if (!piece) {
    pieces.push_back(unknown_piece());
    return;
  }
  piece->place = place;
  if (piece->bytes)
    pieces.push_back(*piece);
}

StackRoom byval_room(const llvm::Argument &argument, const llvm::TargetLowering &lowering) {
  const llvm::DataLayout &layout = argument.getParent()->getDataLayout();
  llvm::Type *type = argument.getParamByValType();
  llvm::MaybeAlign align = argument.getParamStackAlign();
  if (!align)
    align = argument.getParamAlign();
  const uint64_t natural = llvm::Align(lowering.getByValTypeAlignment(type, layout)).value();
  const uint64_t bytes = layout.getTypeAllocSize(type).getFixedValue();
  return {llvm::alignTo(std::max<uint64_t>(bytes, 8), 8),
          std::max<uint64_t>(8, align ? align->value() : natural)};
}

} // namespace nophook
