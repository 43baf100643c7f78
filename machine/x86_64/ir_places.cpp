// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the register or stack slot of each IR argument on x86-64, exactly, or not at all.
//
// ir_stack.cpp bounds the stack from above, which is what safety needs. To show a value, a reader
// must know its place, so here the back end's tables for System V (CC_X86_64_C and its variants)
// are followed step by step: the public part of the target breaks a type into register types, and
// these take the next register of their kind, or the next slot. A value that is not understood
// makes all later ones unknown too, as it may have used up registers.
// test/pass/places-truth.test compares the result with the back end's own.

#include "llvm-pass/parts.h"
#include "llvm-pass/places.h"
#include "machine/x86_64/ir_stack.h"

#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace nophook {
namespace {

// DWARF numbers.
enum : uint8_t {
  kRax,
  kRdx,
  kRcx,
  kRbx,
  kRsi,
  kRdi,
  kRbp,
  kRsp,
  kR8,
  kR9,
  kR10,
  kR11,
  kR12,
  kR13,
  kR14,
  kR15
};

constexpr uint8_t kGeneral[] = {kRdi, kRsi, kRdx, kRcx, kR8, kR9};
constexpr uint8_t kPreserveNone[] = {kR12, kR13, kR14, kR15, kRdi, kRsi,
                                     kRdx, kRcx, kR8,  kR9,  kR11, kRax};
constexpr uint8_t kRegcall[] = {kRax, kRcx, kRdx, kRdi, kRsi, kR8, kR9, kR12, kR13, kR14, kR15};
constexpr uint8_t kResult[] = {kRax, kRdx, kRcx};
constexpr uint8_t kSwiftResult[] = {kRax, kRdx, kRcx, kR8};

bool is_sse(llvm::MVT part) {
  if (part == llvm::MVT::f16 || part == llvm::MVT::f32 || part == llvm::MVT::f64 ||
      part == llvm::MVT::f128)
    return true;
  return part.isFixedLengthVector() && part.getVectorElementType() != llvm::MVT::i1 &&
         (part.is128BitVector() || part.is256BitVector() || part.is512BitVector());
}

class Assigner {
public:
  Assigner(const llvm::Function &function, const llvm::TargetMachine &machine)
      : function_(function), layout_(function.getDataLayout()),
        convention_(function.getCallingConv()),
        lowering_(*machine.getSubtargetImpl(function)->getTargetLowering()),
        has_sse_(lowering_.isTypeLegal(llvm::MVT::v2f64)) {}

  Lowering run() {
    Lowering result;
    result.result_address = kRax;
    const bool is_known = is_like_c(convention_) || convention_ == llvm::CallingConv::Swift ||
                          convention_ == llvm::CallingConv::PreserveNone ||
                          convention_ == llvm::CallingConv::X86_RegCall;
    is_lost_ = !is_known;
    result.result = assign_result();
    for (const llvm::Argument &argument : function_.args())
      result.arguments.push_back(assign_argument(argument));
    return result;
  }

private:
  // Takes the next free register of `list`.
  bool take(llvm::ArrayRef<uint8_t> list, uint32_t *place) {
    for (const uint8_t number : list)
      if (!(general_used_ >> number & 1)) {
        general_used_ |= 1u << number;
        *place = NOPHOOK_PLACE(NOPHOOK_PLACE_GENERAL, 0, number, 0);
        return true;
      }
    return false;
  }

  bool take_sse(unsigned registers, uint32_t *place) {
    if (sse_used_ >= registers)
      return false;
    *place = NOPHOOK_PLACE(NOPHOOK_PLACE_SSE, 0, sse_used_++, 0);
    return true;
  }

  uint32_t take_stack(uint64_t bytes, uint64_t alignment) {
    const uint64_t offset = llvm::alignTo(stack_bytes_, alignment);
    stack_bytes_ = offset + bytes;
    return offset < 0x10000 ? NOPHOOK_PLACE(NOPHOOK_PLACE_STACK, 0, 0, offset)
                            : NOPHOOK_PLACE(NOPHOOK_PLACE_UNKNOWN, 0, 0, 0);
  }

  llvm::ArrayRef<uint8_t> general_list(llvm::MVT part) const {
    if (convention_ == llvm::CallingConv::X86_RegCall)
      return kRegcall;
    if (convention_ == llvm::CallingConv::PreserveNone && part.getSizeInBits() >= 32)
      return kPreserveNone;
    return kGeneral;
  }

  uint32_t assign_part(llvm::MVT part) {
    uint32_t place = 0;
    if (part.isScalarInteger() && part.getSizeInBits() <= 64) {
      return take(general_list(part), &place) ? place : take_stack(8, 8);
    }
    const bool is_regcall = convention_ == llvm::CallingConv::X86_RegCall;
    if (part == llvm::MVT::f80 && !is_regcall)
      return take_stack(16, 16);
    if (is_sse(part) && has_sse_) {
      const uint64_t slot = std::max<uint64_t>(8, part.getStoreSize().getFixedValue());
      // Before `...` wide values are on the stack.
      const bool may_take = slot <= 16 || !function_.isVarArg();
      return may_take && take_sse(is_regcall ? 16 : 8, &place) ? place : take_stack(slot, slot);
    }
    is_lost_ = true;
    return 0;
  }

  // An i128 is in two registers or on the stack, never in both. LLVM 20 and later leave the sixth
  // register to later arguments, and have no special rule for an i128 within a structure; in older
  // versions the register is lost.
  void assign_pair(uint32_t (&places)[2], llvm::Type *whole) {
    const auto is_block = [&](llvm::Type *type) {
      return lowering_.functionArgumentNeedsConsecutiveRegisters(type, convention_,
                                                                 function_.isVarArg(), layout_);
    };
    const bool keeps_sixth = is_block(llvm::Type::getInt128Ty(function_.getContext()));
    if (keeps_sixth && !is_block(whole)) {
      for (uint32_t &place : places)
        place = assign_part(llvm::MVT::i64);
      return;
    }
    unsigned free = 0;
    for (const uint8_t number : kGeneral)
      free += !(general_used_ >> number & 1);
    if (free >= 2) {
      take(kGeneral, &places[0]);
      take(kGeneral, &places[1]);
      return;
    }
    if (!keeps_sixth && free)
      take(kGeneral, &places[0]);
    places[0] = take_stack(8, 16);
    places[1] = take_stack(8, 8);
  }

  Pieces assign_values(llvm::Type *type) {
    Pieces pieces;
    for (const Parts &parts : break_up(type, function_, lowering_)) {
      if (parts.type.isScalarInteger() && parts.count == 2 && is_general_plain()) {
        uint32_t places[2];
        assign_pair(places, type);
        for (unsigned i = 0; i < 2; i++)
          add_piece(pieces, parts, i, places[i]);
        continue;
      }
      // Larger integers may be split between registers and stack, by rules that have changed.
      if (parts.type.isScalarInteger() && parts.count > 2)
        is_lost_ = true;
      for (unsigned i = 0; i < parts.count && !is_lost_; i++)
        add_piece(pieces, parts, i, assign_part(parts.part));
    }
    return is_lost_ ? Pieces{unknown_piece()} : pieces;
  }

  bool is_general_plain() const {
    return is_like_c(convention_) || convention_ == llvm::CallingConv::Swift;
  }

  Pieces assign_byval(const llvm::Argument &argument) {
    const uint64_t bytes = layout_.getTypeAllocSize(argument.getParamByValType()).getFixedValue();
    if (!is_general_plain()) { // other conventions pass a pointer, or have other rules
      is_lost_ = true;
      return {unknown_piece()};
    }
    const StackRoom room = byval_room(argument, lowering_);
    const uint32_t place = take_stack(room.bytes, room.alignment);
    return bytes ? Pieces{{place, 0, bytes}} : Pieces{};
  }

  // The register of an argument that has one of its own.
  static std::optional<uint8_t> special_register(const llvm::Argument &argument) {
    if (argument.hasNestAttr())
      return kR10;
    if (argument.hasSwiftSelfAttr())
      return kR13;
    if (argument.hasSwiftErrorAttr())
      return kR12;
    if (argument.hasAttribute(llvm::Attribute::SwiftAsync))
      return kR14;
    return std::nullopt;
  }

  Pieces assign_argument(const llvm::Argument &argument) {
    if (argument.hasInAllocaAttr() || argument.hasPreallocatedAttr())
      is_lost_ = true;
    if (is_lost_)
      return {unknown_piece()};
    if (argument.hasByValAttr())
      return assign_byval(argument);
    std::optional<uint8_t> own = special_register(argument);
    if (!own && argument.hasStructRetAttr() && convention_ == llvm::CallingConv::Swift)
      own = kRax;
    if (own && argument.getType()->isPointerTy()) {
      if (is_general_plain() && !(general_used_ >> *own & 1)) {
        general_used_ |= 1u << *own;
        return {{NOPHOOK_PLACE(NOPHOOK_PLACE_GENERAL, 0, *own, 0), 0, 8}};
      }
      is_lost_ = true;
      return {unknown_piece()};
    }
    return assign_values(argument.getType());
  }

  // Assigns the result. A result that is returned through memory has a hidden first argument.
  Pieces assign_result() {
    llvm::Type *type = function_.getReturnType();
    if (type->isVoidTy() || is_lost_)
      return is_lost_ ? Pieces{unknown_piece()} : Pieces{};
    const bool is_swift = convention_ == llvm::CallingConv::Swift;
    const bool is_regcall = convention_ == llvm::CallingConv::X86_RegCall;
    const llvm::ArrayRef<uint8_t> list = is_swift     ? llvm::ArrayRef<uint8_t>(kSwiftResult)
                                         : is_regcall ? llvm::ArrayRef<uint8_t>(kRegcall)
                                                      : llvm::ArrayRef<uint8_t>(kResult);
    Pieces pieces;
    unsigned x87 = 0;
    bool fits = true;
    for (const Parts &parts : break_up(type, function_, lowering_))
      for (unsigned i = 0; i < parts.count && fits; i++) {
        uint32_t place = 0;
        if (parts.part.isScalarInteger() && parts.part.getSizeInBits() <= 64) {
          fits = take(list, &place);
        } else if (parts.part == llvm::MVT::f80 && !is_regcall) {
          fits = x87 < 2;
          place = NOPHOOK_PLACE(NOPHOOK_PLACE_X87, 0, x87++, 0);
        } else if (is_sse(parts.part) && has_sse_) {
          const bool is_scalar = !parts.part.isVector() && !is_swift;
          fits = take_sse(is_regcall ? 16 : is_scalar ? 2 : 4, &place);
        } else {
          is_lost_ = true;
          return {unknown_piece()};
        }
        add_piece(pieces, parts, i, place);
      }
    general_used_ = 0;
    sse_used_ = 0;
    if (fits)
      return pieces;
    if (!is_like_c(convention_)) {
      is_lost_ = true;
      return {unknown_piece()};
    }
    uint32_t ignored;
    take(kGeneral, &ignored);
    return {{NOPHOOK_PLACE(NOPHOOK_PLACE_AT_GENERAL, 0, kRax, 0), 0,
             layout_.getTypeAllocSize(type).getFixedValue()}};
  }

  const llvm::Function &function_;
  const llvm::DataLayout &layout_;
  const llvm::CallingConv::ID convention_;
  const llvm::TargetLowering &lowering_;
  const bool has_sse_;
  bool is_lost_ = false;
  uint32_t general_used_ = 0; // set of used registers, a bit for each DWARF number
  unsigned sse_used_ = 0;
  uint64_t stack_bytes_ = 0;
};

} // namespace

Lowering x86_64_lowering(const llvm::Function &function, const llvm::TargetMachine &machine) {
  return Assigner(function, machine).run();
}

} // namespace nophook
