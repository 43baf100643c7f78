// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stack_use.h"
#include "compat.h"
#include "plan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"

extern "C" void LLVMInitializeX86TargetInfo();
extern "C" void LLVMInitializeX86TargetMC();
extern "C" void LLVMInitializeX86Disassembler();

namespace nophook {

namespace ELF = llvm::ELF;

namespace {

// DWARF's numbers of the registers that define a CFA.
constexpr uint32_t kRbp = 6, kRsp = 7, kR10 = 10;

const llvm::Target *x86_64_target() {
  static const llvm::Target *target = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    return find_target("x86_64-linux-gnu");
  }();
  return target;
}

} // namespace

struct StackUses::Disassembler {
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembler;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;

  static std::unique_ptr<Disassembler> create() {
    const llvm::Target *target = x86_64_target();
    if (!target)
      return nullptr;
    auto made = std::make_unique<Disassembler>();
    make_machine_code(*target, "x86_64-linux-gnu", made->registers, made->assembler,
                      made->subtarget);
    made->instructions.reset(target->createMCInstrInfo());
    made->context =
        std::make_unique<llvm::MCContext>(llvm::Triple("x86_64-linux-gnu"), made->assembler.get(),
                                          made->registers.get(), made->subtarget.get());
    made->disassembler.reset(target->createMCDisassembler(*made->subtarget, *made->context));
    return made->disassembler ? std::move(made) : nullptr;
  }

  uint32_t dwarf_number(llvm::MCRegister of) const {
    const llvm::StringRef name = registers->getName(of);
    return name == "RSP" ? kRsp : name == "RBP" ? kRbp : name == "R10" ? kR10 : ~0u;
  }

  // Calls visit(base register, displacement) for the memory operand, if there is one.
  template <class Visit> void memory_operand(const llvm::MCInst &inst, Visit visit) const {
    const llvm::MCInstrDesc &description = instructions->get(inst.getOpcode());
    const auto operands = description.operands();
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
    return instructions->getName(inst.getOpcode()).starts_with("LEA");
  }
  bool is_nop(const llvm::MCInst &inst) const {
    const llvm::StringRef name = instructions->getName(inst.getOpcode());
    return name.starts_with("NOOP") || name.starts_with("ENDBR");
  }

  // `push -8(%r10)`: a realigned frame keeps a copy of its return address for debuggers.
  bool is_push(const llvm::MCInst &inst) const {
    return instructions->getName(inst.getOpcode()).starts_with("PUSH64");
  }

  // `lock or $0, (%rsp)` is gcc's memory barrier, `or $0, (%rsp)` its probe of the stack: the
  // value stays, whatever it is.
  bool is_touch(const llvm::MCInst &inst) const {
    llvm::StringRef name = instructions->getName(inst.getOpcode());
    name.consume_front("LOCK_");
    const unsigned operands = inst.getNumOperands();
    return name.starts_with("OR") && name.contains("mi") && inst.getOperand(operands - 1).isImm() &&
           inst.getOperand(operands - 1).getImm() == 0;
  }
};

StackUses::StackUses(const Object &object) : object_(object), frames_(object) {
  if (object.machine() != ELF::EM_X86_64)
    return;
  // Making one takes longer than reading a small object.
  static thread_local const std::unique_ptr<Disassembler> disassembler = Disassembler::create();
  disassembler_ = disassembler.get();
  relocations_.resize(object.sections().size());
  for (uint32_t i = 1; i < object.sections().size(); i++) {
    const uint32_t section = object.sections()[i].sh_info;
    if (object.sections()[i].sh_type == ELF::SHT_RELA &&
        object.sections()[section].sh_flags & ELF::SHF_EXECINSTR)
      for (const Elf::Rela &relocation : object.relocations(i))
        relocations_[section].push_back(&relocation);
  }
  auto order = [](const Elf::Rela *a, const Elf::Rela *b) { return a->r_offset < b->r_offset; };
  for (auto &relocations : relocations_)
    if (!llvm::is_sorted(relocations, order)) // compilers write them in order
      llvm::sort(relocations, order);
}

StackUses::~StackUses() = default;

// What one instruction does above the frame.
void StackUses::look_at(const llvm::MCInst &inst, const FrameRow &cfa, StackUse &use) const {
  if (!cfa.is_simple) { // a realigned frame: arguments are reached by another register
    use.takes_argument_address = true;
    return;
  }
  disassembler_->memory_operand(inst, [&](uint32_t base, int64_t displacement) {
    const int64_t above_cfa = displacement - cfa.cfa_offset;
    if (base != cfa.cfa_register || above_cfa < -8)
      return;
    if (above_cfa < 0) {
      use.reads_return_address |= !disassembler_->is_push(inst) && !disassembler_->is_touch(inst);
    } else if (disassembler_->is_load_of_address(inst)) {
      use.takes_argument_address = true;
    } else {
      constexpr uint64_t kWidest = 16; // of what is not an aggregate; those have no place here
      use.argument_bytes = std::max<uint64_t>(use.argument_bytes, above_cfa + kWidest);
      use.last_argument = std::max(use.last_argument, above_cfa);
    }
  });
}

// The function's own site, before it is a NOP: the plan is not carried out yet.
bool StackUses::is_of_mcount(const Elf::Rela &relocation) const {
  return is_mcount(object_.symbol_name(object_.symbols()[relocation.getSymbol(false)]));
}

JumpOut StackUses::target_of(const Elf::Rela &relocation) const {
  const uint32_t symbol = relocation.getSymbol(false);
  const uint32_t section = object_.section_of(symbol);
  if (!section)
    return {symbol, 0, 0};
  // Relative to the end of the instruction, which is the end of the field.
  return {symbol, section, object_.symbols()[symbol].st_value + relocation.r_addend + 4};
}

StackUse StackUses::of(uint32_t section, uint64_t start, uint64_t end) const {
  StackUse use;
  const FrameRows *rows = disassembler_ ? frames_.at(section, start) : nullptr;
  const Bytes code = object_.contents(section);
  if (!rows || end > code.size() || start >= end)
    return use;
  size_t row = 0;
  const auto &relocations = relocations_[section];
  auto relocation =
      llvm::partition_point(relocations, [&](const Elf::Rela *r) { return r->r_offset < start; });
  for (uint64_t at = start, bytes = 0; at < end; at += bytes) {
    llvm::MCInst inst;
    bytes = 0;
    if (disassembler_->disassembler->getInstruction(inst, bytes, code.slice(at, end - at), at,
                                                    llvm::nulls()) == llvm::MCDisassembler::Fail ||
        !bytes)
      return use;
    while (row + 1 < rows->size() && (*rows)[row + 1].from <= at)
      row++;
    while (relocation != relocations.end() && (*relocation)->r_offset < at)
      ++relocation;
    const bool is_relocated =
        relocation != relocations.end() && (*relocation)->r_offset < at + bytes;
    look_at(inst, (*rows)[row], use);
    const llvm::MCInstrDesc &description = disassembler_->instructions->get(inst.getOpcode());
    if (!description.isBranch()) {
      use.only_jumps = use.only_jumps && (disassembler_->is_nop(inst) ||
                                          (is_relocated && is_of_mcount(**relocation)));
      continue;
    }
    if (!inst.getNumOperands() || !inst.getOperand(0).isImm()) {
      use.jumps.push_back({}); // through a register or a table
    } else if (is_relocated) {
      use.jumps.push_back(target_of(**relocation));
    } else {
      const uint64_t target = at + bytes + inst.getOperand(0).getImm();
      if (target < start || target >= end)
        use.jumps.push_back({0, section, target});
    }
  }
  use.is_known = true;
  return use;
}

} // namespace nophook
