// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the bytes of a function's arguments on the stack, before the back end decides.
//
// function_graph's frame stands between the return address and the stack arguments, so it must copy
// them; a byte too few makes the body read garbage, a byte too many costs a move. The back end's
// own tables (CC_X86_64) are private to it and run only in instruction selection, after the last
// place where metadata can still be attached. The step before them is public: the registers into
// which a type is broken up. The assignment itself is simple enough to bound from above:
//
//   - integers take general registers, everything else takes SSE registers, until a group
//     does not fit. Then the whole group counts as stack, *and* as using registers up.
//   - x87 values and byval aggregates are stack.
//   - a type that is not understood is stack and uses up registers of both kinds.
//
// Each rule may put an argument on the stack that is not there, never the reverse; and
// since sizes only add up in order, more arguments on the stack never make the area smaller.
// test/pass/stack-truth.test compares the result with the back end's frame objects.

#include "machine/x86_64/ir_stack.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/Analysis.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace nophook {
namespace {

// The most bytes of a vector register: size and alignment of a slot of an unknown type.
constexpr uint64_t kLargestSlot = 64;

// Argument registers of a calling convention.
struct Registers {
  unsigned general;
  unsigned sse;
  // Whether the convention is like C's: nest, swiftself, swifterror and swiftasync have registers
  // of their own, byval is on the stack. Other conventions have other rules.
  bool is_ordinary;
};

std::optional<Registers> argument_registers(llvm::CallingConv::ID convention) {
  if (is_like_c(convention) || convention == llvm::CallingConv::Swift)
    return Registers{6, 8, true};
  switch (convention) {
  case llvm::CallingConv::PreserveNone:
    return Registers{12, 8, false};
  case llvm::CallingConv::X86_RegCall:
    return Registers{11, 16, false};
  default:
    return std::nullopt;
  }
}

// Takes arguments in order, and counts the remaining registers and the used stack.
class Assignment {
public:
  explicit Assignment(Registers registers) : left_(registers) {}

  uint64_t stack_bytes() const { return llvm::alignTo(bytes_, 8); }

  void take_general(unsigned count) {
    if (!use(left_.general, count))
      push(8 * count, count > 1 ? 16 : 8);
  }

  void take_sse(unsigned count, uint64_t register_bytes) {
    const uint64_t slot = std::max<uint64_t>(8, llvm::PowerOf2Ceil(register_bytes));
    if (!use(left_.sse, count))
      push(slot * count, slot);
  }

  void take_unknown(unsigned count) {
    use(left_.general, count);
    use(left_.sse, count);
    push(kLargestSlot * count, kLargestSlot);
  }

  void push(uint64_t bytes, uint64_t alignment) {
    bytes_ = llvm::alignTo(bytes_, alignment) + llvm::alignTo(bytes, 8);
  }

private:
  static bool use(unsigned &left, unsigned count) {
    const bool fits = count <= left;
    left -= std::min(left, count);
    return fits;
  }

  Registers left_;
  uint64_t bytes_ = 0;
};

void take_value(Assignment &assignment, llvm::EVT type, const llvm::Function &function,
                const llvm::TargetLowering &lowering) {
  llvm::LLVMContext &context = function.getContext();
  const llvm::CallingConv::ID convention = function.getCallingConv();
  const llvm::MVT part = lowering.getRegisterTypeForCallingConv(context, convention, type);
  const unsigned count = lowering.getNumRegistersForCallingConv(context, convention, type);

  const bool is_mask = part.isVector() && part.getVectorElementType() == llvm::MVT::i1;
  if (is_mask || part.isScalableVector() || part == llvm::MVT::x86mmx)
    assignment.take_unknown(count);
  else if (part == llvm::MVT::f80)
    assignment.push(16 * count, 16);
  else if (part.isScalarInteger())
    assignment.take_general(count);
  else if (part.isFloatingPoint() || part.isVector())
    assignment.take_sse(count, part.getStoreSize().getFixedValue());
  else
    assignment.take_unknown(count);
}

void take_argument(Assignment &assignment, const llvm::Argument &argument, bool is_ordinary,
                   const llvm::TargetLowering &lowering) {
  const llvm::DataLayout &layout = argument.getParent()->getDataLayout();
  const uint64_t stack_align = argument.getParamStackAlign().valueOrOne().value();
  if (argument.hasByValAttr()) {
    llvm::Type *type = argument.getParamByValType();
    const uint64_t align =
        std::max({uint64_t(8), stack_align, argument.getParamAlign().valueOrOne().value(),
                  layout.getABITypeAlign(type).value()});
    assignment.push(layout.getTypeAllocSize(type).getFixedValue(), align);
    if (!is_ordinary)
      assignment.take_general(1); // preserve_none passes a pointer to it
    return;
  }
  const bool is_special = argument.hasNestAttr() || argument.hasSwiftSelfAttr() ||
                          argument.hasSwiftErrorAttr() ||
                          argument.hasAttribute(llvm::Attribute::SwiftAsync);
  if (is_ordinary && is_special)
    return;
  llvm::SmallVector<llvm::EVT, 4> types;
  llvm::ComputeValueVTs(lowering, layout, argument.getType(), types);
  for (llvm::EVT type : types)
    take_value(assignment, type, *argument.getParent(), lowering);
}

// A return value that does not fit its registers is written through a hidden first argument. The
// bounds are those of the convention with the fewest registers.
bool may_return_through_memory(const llvm::Function &function,
                               const llvm::TargetLowering &lowering) {
  llvm::SmallVector<llvm::EVT, 4> types;
  llvm::ComputeValueVTs(lowering, function.getDataLayout(), function.getReturnType(), types);
  unsigned general = 0;
  unsigned other = 0;
  for (llvm::EVT type : types) {
    const llvm::CallingConv::ID convention = function.getCallingConv();
    const unsigned count =
        lowering.getNumRegistersForCallingConv(function.getContext(), convention, type);
    (type.isScalarInteger() ? general : other) += count;
  }
  return general > 2 || other > 2;
}

} // namespace

bool is_like_c(llvm::CallingConv::ID convention) {
  switch (convention) {
  case llvm::CallingConv::C:
  case llvm::CallingConv::Fast:
  case llvm::CallingConv::Cold:
  case llvm::CallingConv::PreserveMost:
  case llvm::CallingConv::PreserveAll:
  case llvm::CallingConv::CXX_FAST_TLS:
  case llvm::CallingConv::X86_64_SysV:
    return true;
  default:
    return false;
  }
}

std::optional<uint64_t> x86_64_stack_bytes(const llvm::Function &function,
                                           const llvm::TargetMachine &machine) {
  std::optional<Registers> registers = argument_registers(function.getCallingConv());
  if (!registers)
    return std::nullopt;
  const llvm::TargetLowering &lowering = *machine.getSubtargetImpl(function)->getTargetLowering();
  if (!lowering.isTypeLegal(llvm::MVT::v2f64))
    registers->sse = 0; // built without SSE2: floating point has no registers

  Assignment assignment(*registers);
  if (may_return_through_memory(function, lowering))
    assignment.take_general(1);
  for (const llvm::Argument &argument : function.args()) {
    if (argument.hasInAllocaAttr() || argument.hasPreallocatedAttr())
      return std::nullopt; // the caller's stack itself, address and all
    take_argument(assignment, argument, registers->is_ordinary, lowering);
  }
  return assignment.stack_bytes();
}

} // namespace nophook
