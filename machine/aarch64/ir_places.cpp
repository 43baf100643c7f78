// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the register or stack slot of each IR argument on AArch64, and the stack that all of them
// take.
//
// The back end's tables (CC_AArch64_AAPCS) are private to it, so they are followed step by step,
// as ../x86_64/ir_places.cpp does: the public part of the target breaks a type into register types,
// and these take the next register of their kind, or the next slot. AAPCS64 has few rules, and one
// assignment gives both answers:
//
//   - a block, [N x T], is in N registers in a row or on the stack whole. Clang passes structures
//     as blocks: of i64, or of a floating-point or vector type (HFA, HVA).
//   - an integer of several registers begins at an even one, or at a multiple of 16.
//   - a value that does not fit ends the registers of its kind.
//   - a result in memory: its address is in x8, and in no register when the function returns.
//
// From the first value on that is not understood all places are unknown, and all values count as
// stack: sizes only add up in order, so more of them there never make the area smaller.
// test/pass/aarch64-places-truth.test and aarch64-stack-truth.test compare with the back end.

#include "llvm-pass/compat.h"
#include "llvm-pass/parts.h"
#include "llvm-pass/places.h"
#include "machine/aarch64/ir_stack.h"

#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace nophook {
namespace {

constexpr unsigned kRegisters = 8; // x0 to x7, v0 to v7
// The registers of preserve_none's integers: these, and more; their order is not followed.
constexpr unsigned kPreserveNoneRegisters = 17;
constexpr uint64_t kMostAlign = 16;
constexpr uint8_t kX8 = 8;
// The last number of a general register in a place, nophook/prototype.h.
constexpr unsigned kLastNumber = 15;

enum class Kind { kGeneral, kVector };

constexpr uint32_t kUnknown = NOPHOOK_PLACE(NOPHOOK_PLACE_UNKNOWN, 0, 0, 0);

bool is_like_aapcs(llvm::CallingConv::ID convention) {
  switch (convention) {
  case llvm::CallingConv::C:
  case llvm::CallingConv::Fast:
  case llvm::CallingConv::PreserveMost:
  case llvm::CallingConv::PreserveAll:
  case llvm::CallingConv::CXX_FAST_TLS:
  case llvm::CallingConv::Swift:
  case llvm::CallingConv::AArch64_VectorCall:
  case llvm::CallingConv::AArch64_SVE_VectorCall:
    return true;
  default:
    return false;
  }
}

uint32_t general_place(unsigned number) {
  return number <= kLastNumber ? NOPHOOK_PLACE(NOPHOOK_PLACE_GENERAL, 0, number, 0) : kUnknown;
}

class Assigner {
public:
  Assigner(const llvm::Function &function, const llvm::TargetMachine &machine)
      : function_(function), layout_(function.getDataLayout()),
        convention_(function.getCallingConv()),
        lowering_(*machine.getSubtargetImpl(function)->getTargetLowering()),
        is_plain_(is_like_aapcs(convention_)),
        is_lost_(!is_plain_ && convention_ != llvm::CallingConv::PreserveNone) {}

  Lowering run() {
    Lowering result;
    result.result = assign_result();
    for (const llvm::Argument &argument : function_.args())
      result.arguments.push_back(assign_argument(argument));
    return result;
  }

  // Valid after run().
  uint64_t stack_bytes() const { return llvm::alignTo(stack_bytes_, 8); }

private:
  static std::optional<Kind> kind_of(llvm::MVT part) {
    if (part == llvm::MVT::i64 || part == llvm::MVT::i32)
      return Kind::kGeneral;
    if (part == llvm::MVT::f16 || part == llvm::MVT::bf16 || part == llvm::MVT::f32 ||
        part == llvm::MVT::f64 || part == llvm::MVT::f128)
      return Kind::kVector;
    if (part.isFixedLengthVector() && part.getVectorElementType() != llvm::MVT::i1 &&
        (part.is64BitVector() || part.is128BitVector()))
      return Kind::kVector;
    return std::nullopt;
  }

  unsigned &used(Kind kind) { return kind == Kind::kGeneral ? general_used_ : vectors_used_; }

  bool has_left(Kind kind, unsigned count = 1) {
    const bool has_more = !is_plain_ && kind == Kind::kGeneral;
    return used(kind) + count <= (has_more ? kPreserveNoneRegisters : kRegisters);
  }

  uint32_t take_register(Kind kind) {
    const unsigned number = used(kind)++;
    if (!is_plain_)
      return kUnknown;
    return kind == Kind::kGeneral ? general_place(number)
                                  : NOPHOOK_PLACE(NOPHOOK_PLACE_SSE, 0, number, 0);
  }

  uint32_t take_stack(uint64_t bytes, uint64_t alignment) {
    const uint64_t offset = llvm::alignTo(stack_bytes_, alignment);
    stack_bytes_ = offset + bytes;
    return is_plain_ && offset < 0x10000 ? NOPHOOK_PLACE(NOPHOOK_PLACE_STACK, 0, 0, offset)
                                         : kUnknown;
  }

  uint32_t take(llvm::MVT part) {
    const Kind kind = *kind_of(part);
    if (has_left(kind))
      return take_register(kind);
    const uint64_t slot = std::max<uint64_t>(8, part.getStoreSize().getFixedValue());
    return take_stack(slot, slot);
  }

  // The first register of an integer that needs several, __int128 above all.
  uint32_t take_first() {
    used(Kind::kGeneral) = llvm::alignTo(used(Kind::kGeneral), 2);
    if (has_left(Kind::kGeneral))
      return take_register(Kind::kGeneral);
    return take_stack(8, 16);
  }

  Pieces lose(llvm::ArrayRef<Parts> all) {
    is_lost_ = true;
    for (const Parts &parts : all) {
      const uint64_t bytes = parts.part.getStoreSize().getKnownMinValue();
      take_stack(parts.count * llvm::alignTo(std::max<uint64_t>(bytes, 8), kMostAlign), kMostAlign);
    }
    return {unknown_piece()};
  }

  // Assigns a block: all parts are in registers of their kind, or none of them is.
  Pieces assign_block(llvm::ArrayRef<Parts> all, uint64_t alignment) {
    const Kind kind = *kind_of(all[0].part);
    unsigned count = 0;
    for (const Parts &parts : all)
      count += parts.count;
    const bool fits = has_left(kind, count);
    if (!fits)
      used(kind) = kPreserveNoneRegisters;
    const uint64_t bytes = all[0].part.getStoreSize().getFixedValue();
    alignment = std::clamp<uint64_t>(alignment, 8, kMostAlign);
    Pieces pieces;
    for (const Parts &parts : all)
      for (unsigned i = 0; i < parts.count; i++) {
        add_piece(pieces, parts, i, fits ? take_register(kind) : take_stack(bytes, alignment));
        alignment = 1;
      }
    return pieces;
  }

  bool is_block(llvm::Type *type, llvm::ArrayRef<Parts> all) const {
    return lowering_.functionArgumentNeedsConsecutiveRegisters(type, convention_,
                                                               function_.isVarArg(), layout_) &&
           all[0].part != llvm::MVT::i32 &&
           (kAarch64KeepsBfloats || all[0].part != llvm::MVT::bf16);
  }

  Pieces assign_value(llvm::Type *type, llvm::MaybeAlign alignment) {
    const llvm::SmallVector<Parts, 4> all = break_up(type, function_, lowering_);
    if (all.empty())
      return {};
    if (is_lost_ || !llvm::all_of(all, [](const Parts &parts) { return kind_of(parts.part); }))
      return lose(all);
    if (is_block(type, all)) {
      const llvm::Align own = lowering_.getABIAlignmentForCallingConv(
          all.back().type.getTypeForEVT(function_.getContext()), layout_);
      return assign_block(all, alignment.value_or(own).value());
    }
    Pieces pieces;
    for (const Parts &parts : all)
      for (unsigned i = 0; i < parts.count; i++) {
        const bool is_first = i == 0 && parts.count > 1 && parts.part == llvm::MVT::i64;
        add_piece(pieces, parts, i, is_first ? take_first() : take(parts.part));
      }
    return pieces;
  }

  Pieces assign_byval(const llvm::Argument &argument) {
    const uint64_t bytes = layout_.getTypeAllocSize(argument.getParamByValType()).getFixedValue();
    const StackRoom room = byval_room(argument, lowering_);
    const uint32_t place = take_stack(room.bytes, room.alignment);
    if (is_lost_)
      return {unknown_piece()};
    return bytes ? Pieces{{place, 0, bytes}} : Pieces{};
  }

  // Arguments with a register of their own.
  static std::optional<unsigned> special_register(const llvm::Argument &argument) {
    if (argument.hasStructRetAttr())
      return kX8;
    if (argument.hasNestAttr())
      return kAarch64Nest;
    if (argument.hasSwiftSelfAttr())
      return 20;
    if (argument.hasSwiftErrorAttr())
      return 21;
    if (argument.hasAttribute(llvm::Attribute::SwiftAsync))
      return 22;
    return std::nullopt;
  }

  Pieces assign_argument(const llvm::Argument &argument) {
    if (argument.hasByValAttr())
      return assign_byval(argument);
    const std::optional<unsigned> own = special_register(argument);
    const bool is_windows = argument.hasStructRetAttr() && argument.hasInRegAttr();
    if (own && is_plain_ && !is_lost_ && !is_windows && argument.getType()->isPointerTy())
      return {{general_place(*own), 0, 8}};
    if (own)
      is_lost_ = true;
    return assign_value(argument.getType(), argument.getParamStackAlign());
  }

  // Assigns the result. A result that does not fit eight registers of a kind is returned through
  // memory.
  Pieces assign_result() {
    llvm::Type *type = function_.getReturnType();
    if (is_lost_ || type->isVoidTy())
      return is_lost_ ? Pieces{unknown_piece()} : Pieces{};
    Pieces pieces;
    for (const Parts &parts : break_up(type, function_, lowering_))
      for (unsigned i = 0; i < parts.count; i++) {
        const std::optional<Kind> kind = kind_of(parts.part);
        if (!kind || used(*kind) == kRegisters) {
          reset();
          return {unknown_piece()};
        }
        add_piece(pieces, parts, i, take_register(*kind));
      }
    reset();
    return pieces;
  }

  void reset() { general_used_ = vectors_used_ = 0; }

  const llvm::Function &function_;
  const llvm::DataLayout &layout_;
  const llvm::CallingConv::ID convention_;
  const llvm::TargetLowering &lowering_;
  const bool is_plain_;
  bool is_lost_;
  unsigned general_used_ = 0;
  unsigned vectors_used_ = 0;
  uint64_t stack_bytes_ = 0;
};

} // namespace

Lowering aarch64_lowering(const llvm::Function &function, const llvm::TargetMachine &machine) {
  return Assigner(function, machine).run();
}

std::optional<uint64_t> aarch64_stack_bytes(const llvm::Function &function,
                                            const llvm::TargetMachine &machine) {
  if (!is_like_aapcs(function.getCallingConv()) &&
      function.getCallingConv() != llvm::CallingConv::PreserveNone)
    return std::nullopt;
  for (const llvm::Argument &argument : function.args())
    if (argument.hasInAllocaAttr() || argument.hasPreallocatedAttr())
      return std::nullopt; // the caller's stack itself, address and all
  Assigner assigner(function, machine);
  assigner.run();
  return assigner.stack_bytes();
}

} // namespace nophook
