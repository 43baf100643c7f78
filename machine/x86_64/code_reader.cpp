// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The uses that x86-64's instructions make of the stack above the frame. The return address is at
// CFA-8, arguments are at CFA and above, and compilers reach both by the register that the unwind
// table names.

#include "machine/x86_64/instructions.h"

#include "llvm-c/Target.h"

namespace nophook::x86_64 {
namespace {

// DWARF's numbers of the registers that define a CFA.
constexpr uint32_t kRbp = 6, kRsp = 7, kR10 = 10;

class X86Code final : public CodeReader {
public:
  using CodeReader::CodeReader;

  void look_at(const Instruction &instruction, StackUse &use) override;
  bool is_nop(const Instruction &instruction) const override {
    const llvm::StringRef name = disassembler_->name(instruction.inst);
    return name.starts_with("NOOP") || name.starts_with("ENDBR");
  }
  uint64_t jump_base() const override { return 4; } // the field ends the instruction

private:
  uint32_t dwarf_number(llvm::MCRegister of) const {
    const llvm::StringRef name = disassembler_->registers->getName(of);
    return name == "RSP" ? kRsp : name == "RBP" ? kRbp : name == "R10" ? kR10 : ~0u;
  }

  // Calls visit(base register, displacement) for the memory operand, if there is one.
  template <class Visit> void memory_operand(const Instruction &of, Visit visit) const {
    const llvm::MCInst &inst = of.inst;
    const auto operands = of.description.operands();
    for (unsigned i = 0; i + 5 <= inst.getNumOperands() && i < operands.size(); i++) {
      if (operands[i].OperandType != llvm::MCOI::OPERAND_MEMORY)
        continue;
      // base, scale, index, displacement, segment
      if (inst.getOperand(i).isReg() && inst.getOperand(i + 3).isImm())
        visit(dwarf_number(inst.getOperand(i).getReg()), inst.getOperand(i + 3).getImm());
      return;
    }
  }

  bool is_load_of_address(const llvm::MCInst &inst) const {
    return disassembler_->name(inst).starts_with("LEA");
  }

  // Whether it is a push. `push -8(%r10)`: a realigned frame keeps a copy of its return address for
  // debuggers.
  bool is_push(const llvm::MCInst &inst) const {
    return disassembler_->name(inst).starts_with("PUSH64");
  }

  // Whether the instruction leaves the value unchanged: `lock or $0, (%rsp)` is gcc's memory
  // barrier, `or $0, (%rsp)` its probe of the stack.
  bool is_touch(const llvm::MCInst &inst) const {
    llvm::StringRef name = disassembler_->name(inst);
    name.consume_front("LOCK_");
    const unsigned operands = inst.getNumOperands();
    return name.starts_with("OR") && name.contains("mi") && inst.getOperand(operands - 1).isImm() &&
           inst.getOperand(operands - 1).getImm() == 0;
  }
};

void X86Code::look_at(const Instruction &instruction, StackUse &use) {
  const FrameRow &cfa = instruction.frame;
  const llvm::MCInst &inst = instruction.inst;
  if (!cfa.is_simple) { // a realigned frame: arguments are reached by another register
    use.takes_argument_address = true;
    return;
  }
  memory_operand(instruction, [&](uint32_t base, int64_t displacement) {
    const int64_t above_cfa = displacement - cfa.cfa_offset;
    if (base != cfa.cfa_register || above_cfa < -8)
      return;
    if (above_cfa < 0) {
      use.reads_return_address |= !is_push(inst) && !is_touch(inst);
    } else if (is_load_of_address(inst)) {
      use.takes_argument_address = true;
    } else {
      constexpr uint64_t kWidest = 16; // bytes of a value that is no aggregate
      use.argument_bytes = std::max<uint64_t>(use.argument_bytes, above_cfa + kWidest);
      use.last_argument = std::max(use.last_argument, above_cfa);
    }
  });
}

void register_target() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86Disassembler();
}

std::unique_ptr<CodeReader> make_reader() {
  auto disassembler = Disassembler::create(register_target, "x86_64-linux-gnu", "");
  return disassembler ? std::make_unique<X86Code>(std::move(disassembler)) : nullptr;
}

} // namespace

CodeReader *code_reader() {
  static thread_local const std::unique_ptr<CodeReader> reader = make_reader();
  return reader.get();
}

} // namespace nophook::x86_64
