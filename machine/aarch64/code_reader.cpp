// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The uses that AArch64's instructions make of the stack above the frame. Arguments are at CFA and
// above. The return address comes in x30 (link_register.h), and is saved with the caller's x29 at
// the place in the unwind table: compilers read it there only to return, or to follow the chain of
// frames.
//
// Displacements are short, so an address may be made in two steps: registers that hold a place of
// the frame are known until they change. Encodings: Arm ARM (DDI 0487), C4.1, "Loads and stores"
// and "Data processing". LLVM knows which registers an instruction reads and writes.

#include "machine/aarch64/instructions.h"
#include "machine/aarch64/link_register.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <array>

#include "llvm-c/Target.h"

namespace nophook::aarch64 {
namespace {

// Numbers of registers, in encodings and in DWARF.
constexpr unsigned kFirstKept = 19, kX29 = 29, kX30 = 30, kSp = 31;

constexpr int64_t kMostAtOnce = 4095; // largest immediate of ADD, unless it is shifted

struct Access {
  unsigned base;
  std::optional<int64_t> displacement; // none: another register is added
  int64_t element;                     // bytes of one register
  int64_t bytes;
};

// Whether a load or store has a base register; false for literals.
bool has_base(uint32_t word) {
  return (word & 0x0a000000) == 0x08000000 && (word & 0x3b000000) != 0x18000000;
}

Access access_of(uint32_t word) {
  const unsigned base = word >> 5 & 31;
  const bool is_vector = word >> 26 & 1;
  if ((word & 0x3a000000) == 0x28000000) {                                  // a pair
    const bool is_tagged = !is_vector && (word & 0xc0400000) == 0x40000000; // STGP
    const unsigned size = is_tagged ? 4 : is_vector ? 2 + (word >> 30) : 2 + (word >> 31);
    const bool adds_later = (word >> 23 & 3) == 1;
    const int64_t displacement = llvm::SignExtend64<7>(word >> 15 & 0x7f) * (1 << size);
    const int64_t element = is_tagged ? 8 : 1 << size;
    return {base, adds_later ? 0 : displacement, element, 2 * element};
  }
  const unsigned size = is_vector && word >> 23 & 1 ? 4 : word >> 30;
  const int64_t element = 1 << size;
  if ((word & 0x3b000000) == 0x39000000)
    return {base, int64_t(word >> 10 & 0xfff) << size, element, element};
  if ((word & 0x3b200000) == 0x38000000) {
    const bool adds_later = (word >> 10 & 3) == 1;
    return {base, adds_later ? 0 : llvm::SignExtend64<9>(word >> 12 & 0x1ff), element, element};
  }
  return {base, std::nullopt, element, element};
}

class AArch64Code final : public CodeReader {
public:
  explicit AArch64Code(std::unique_ptr<Disassembler> disassembler);

  void begin(llvm::ArrayRef<const FrameRows *> rows) override;
  void look_at(const Instruction &instruction, StackUse &use) override;
  void end(StackUse &use) override {
    use.reads_return_address |= link_register_.is_return_address_read();
  }
  bool is_nop(const Instruction &instruction) const override {
    const uint32_t word = word_of(instruction);
    return word == kNop || (word & 0xffffff3f) == kBti;
  }
  uint64_t jump_base() const override { return 0; }

private:
  static constexpr uint32_t kNop = 0xd503201f, kBti = 0xd503241f;
  static constexpr uint32_t kMovX9X30 = 0xaa1e03e9;

  static uint32_t word_of(const Instruction &instruction) {
    return llvm::support::endian::read32le(instruction.code.data());
  }
  std::optional<int64_t> place_of(unsigned number, const FrameRow &row) const;
  bool writes(const Instruction &instruction, llvm::MCRegister which) const;
  bool reads(const Instruction &instruction, llvm::MCRegister which) const;
  void access(const Instruction &instruction, StackUse &use);
  void make_address(const Instruction &instruction, StackUse &use);
  void forget_written(const Instruction &instruction);
  LinkRegister::Step step_of(const Instruction &instruction) const;
  bool is_kernels_entry(const Instruction &instruction) const;
  bool signs_in_front(const Instruction &instruction) const;

  llvm::MCRegister x29_, x30_, sp_;
  std::vector<unsigned> numbers_; // by LLVM's number of a register; kSp for all but x0 to x30

  // The state of the function that is being read.
  std::optional<int64_t> frame_at_, link_at_;
  std::array<std::optional<int64_t>, 32> places_; // targets of x0 to x30, from the CFA
  LinkRegister link_register_;
};

AArch64Code::AArch64Code(std::unique_ptr<Disassembler> disassembler)
    : CodeReader(std::move(disassembler)) {
  const llvm::MCRegisterInfo &registers = *disassembler_->registers;
  numbers_.resize(registers.getNumRegs(), kSp);
  for (unsigned i = 1; i < registers.getNumRegs(); i++) {
    const llvm::StringRef name = registers.getName(i);
    unsigned number = kSp;
    if (name == "FP")
      x29_ = i, numbers_[i] = kX29;
    else if (name == "LR")
      x30_ = i, numbers_[i] = kX30;
    else if (name == "SP")
      sp_ = i;
    else if ((name.starts_with("X") || name.starts_with("W")) &&
             !name.drop_front().getAsInteger(10, number))
      numbers_[i] = number;
  }
}

void AArch64Code::begin(llvm::ArrayRef<const FrameRows *> parts) {
  frame_at_ = link_at_ = std::nullopt;
  for (const FrameRows *rows : parts)
    for (const FrameRow &row : *rows) {
      frame_at_ = frame_at_ ? frame_at_ : row.frame_at;
      link_at_ = link_at_ ? link_at_ : row.link_at;
    }
  places_.fill(std::nullopt);
  link_register_.clear();
}

// The place that a register points to, from the CFA.
std::optional<int64_t> AArch64Code::place_of(unsigned number, const FrameRow &row) const {
  if (row.is_simple && row.cfa_register == number)
    return -row.cfa_offset;
  return number == kSp ? std::nullopt : places_[number];
}

bool AArch64Code::writes(const Instruction &instruction, llvm::MCRegister which) const {
  const llvm::MCInst &inst = instruction.inst;
  for (unsigned i = 0; i < instruction.description.getNumDefs() && i < inst.getNumOperands(); i++)
    if (inst.getOperand(i).isReg() &&
        disassembler_->registers->regsOverlap(inst.getOperand(i).getReg(), which))
      return true;
  return instruction.description.hasImplicitDefOfPhysReg(which, disassembler_->registers.get());
}

bool AArch64Code::reads(const Instruction &instruction, llvm::MCRegister which) const {
  const llvm::MCInst &inst = instruction.inst;
  for (unsigned i = instruction.description.getNumDefs(); i < inst.getNumOperands(); i++)
    if (inst.getOperand(i).isReg() && inst.getOperand(i).getReg() &&
        disassembler_->registers->regsOverlap(inst.getOperand(i).getReg(), which))
      return true;
  return llvm::is_contained(instruction.description.implicit_uses(), which.id());
}

// Records a load or store of the frame or of the stack above it.
void AArch64Code::access(const Instruction &instruction, StackUse &use) {
  if (!has_base(word_of(instruction))) {
    // It has a scalable vector's length, or is of a kind that is unknown here.
    use.takes_argument_address |=
        (instruction.description.mayLoad() || instruction.description.mayStore()) &&
        reads(instruction, sp_) && !instruction.description.isCall();
    return;
  }
  const Access access = access_of(word_of(instruction));
  const std::optional<int64_t> base = place_of(access.base, instruction.frame);
  if (!base)
    return;
  // Compilers add a register to sp if the displacement does not fit; else it is an index.
  if (!access.displacement && access.base == kSp && -*base > kMostAtOnce)
    use.takes_argument_address = true;
  const int64_t first = *base + access.displacement.value_or(0), end = first + access.bytes;
  auto covers = [&](std::optional<int64_t> place) {
    return place && first <= *place && *place + 8 <= end;
  };
  if (instruction.description.mayLoad())
    use.reads_return_address |= (covers(link_at_) && !writes(instruction, x30_)) ||
                                (covers(frame_at_) && !writes(instruction, x29_));
  const int64_t last = end - access.element;
  if (last >= 0) {
    use.argument_bytes = std::max<uint64_t>(use.argument_bytes, end);
    use.last_argument = std::max(use.last_argument, last);
  } else if (end > 0) {
    use.takes_argument_address = true;
  }
}

void AArch64Code::forget_written(const Instruction &instruction) {
  const llvm::MCInst &inst = instruction.inst;
  const std::optional<int64_t> x29 = places_[kX29];
  for (unsigned i = 0; i < instruction.description.getNumDefs() && i < inst.getNumOperands(); i++)
    if (inst.getOperand(i).isReg())
      places_[numbers_[inst.getOperand(i).getReg()]] = std::nullopt;
  if (instruction.description.isCall())
    std::fill(places_.begin(), places_.begin() + kFirstKept, std::nullopt);
  // The next instruction is reached from elsewhere, with other values.
  if (instruction.description.isBarrier())
    places_.fill(std::nullopt);
  // But x29 is the frame's all the time, until it is the caller's again.
  if (instruction.description.mayLoad() || instruction.description.isBarrier())
    places_[kX29] = x29;
}

// Records the making of an address of the frame or of the stack above it.
void AArch64Code::make_address(const Instruction &instruction, StackUse &use) {
  const uint32_t word = word_of(instruction);
  const unsigned to = word & 31, from = word >> 5 & 31;
  std::optional<int64_t> place;
  if ((word & 0xbf800000) == 0x91000000) { // ADD and SUB of an immediate
    const int64_t immediate = int64_t(word >> 10 & 0xfff) << (word >> 22 & 1 ? 12 : 0);
    if ((place = place_of(from, instruction.frame)))
      *place += word >> 30 & 1 ? -immediate : immediate;
  } else if ((word & 0xffe0ffe0) == 0xaa0003e0 && (word >> 16 & 31) != kSp) { // MOV
    place = place_of(word >> 16 & 31, instruction.frame);
  } else if ((word & 0xffe00000) == 0x8b200000 && from == kSp && to != kSp) {
    const std::optional<int64_t> base = place_of(from, instruction.frame);
    use.takes_argument_address |= !base || -*base > kMostAtOnce; // as in access()
  }
  forget_written(instruction);
  if (!place || to == kSp)
    return;
  places_[to] = place;
  use.takes_argument_address |= *place >= 0 && to != kX29;
}

// Whether it is `mov x9, x30` in front of the site, as in the kernel: the thunk finds x30
// unchanged.
bool AArch64Code::is_kernels_entry(const Instruction &instruction) const {
  if (instruction.position > 4 || instruction.code.size() < 8 || word_of(instruction) != kMovX9X30)
    return false;
  const uint32_t next = llvm::support::endian::read32le(&instruction.code[4]);
  return next == kNop || next >> 26 == 0x25; // a NOP, or BL
}

// Whether it is PACIASP in front of the site: the body would authenticate the address of a frame of
// ours.
bool AArch64Code::signs_in_front(const Instruction &instruction) const {
  return instruction.position == 0 && instruction.code.size() >= 8 &&
         llvm::support::endian::read32le(&instruction.code[4]) == kNop;
}

LinkRegister::Step AArch64Code::step_of(const Instruction &instruction) const {
  const llvm::MCInstrDesc &description = instruction.description;
  const llvm::StringRef name = disassembler_->name(instruction.inst);
  const uint32_t word = word_of(instruction);
  LinkRegister::Step step;
  step.surely_holds = !instruction.frame.link_at;
  step.falls_through = !description.isBarrier();
  if (instruction.target)
    step.target = *instruction.target / 4;
  step.jumps_anywhere = description.isIndirectBranch();
  if (description.isReturn() || (name.starts_with("PACI") && !signs_in_front(instruction)) ||
      name.starts_with("AUTI") || is_kernels_entry(instruction))
    return step;
  step.reads = reads(instruction, x30_);
  if (writes(instruction, x30_))
    step.after = LinkRegister::Step::kLost;
  if ((!step.reads && step.after != LinkRegister::Step::kLost) || !has_base(word))
    return step;
  // The instruction saves or restores x30, or does the same with another value.
  const Access access = access_of(word);
  const bool is_of_frame = access.base == kSp || access.base == kX29;
  const std::optional<int64_t> base = place_of(access.base, instruction.frame);
  const int64_t first = base.value_or(0) + access.displacement.value_or(0);
  const bool is_at_place =
      base && link_at_ && first <= *link_at_ && *link_at_ + 8 <= first + access.bytes;
  if (description.mayStore() && is_at_place)
    step.reads = false;
  if (step.after == LinkRegister::Step::kLost && description.mayLoad() &&
      (is_at_place || (is_of_frame && !base)))
    step.after = LinkRegister::Step::kBack;
  return step;
}

void AArch64Code::look_at(const Instruction &instruction, StackUse &use) {
  use.takes_argument_address |= !instruction.frame.is_simple;
  link_register_.add(step_of(instruction));
  access(instruction, use);
  make_address(instruction, use);
}

void register_target() {
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64Disassembler();
}

std::unique_ptr<CodeReader> make_reader() {
  auto disassembler = Disassembler::create(register_target, "aarch64-linux-gnu", "+all");
  return disassembler ? std::make_unique<AArch64Code>(std::move(disassembler)) : nullptr;
}

} // namespace

CodeReader *code_reader() {
  static thread_local const std::unique_ptr<CodeReader> reader = make_reader();
  return reader.get();
}

} // namespace nophook::aarch64
