// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of reading code that depends on the CPU: the uses that an instruction makes of the stack
// above its function's frame.

#pragma once

#include "analysis/disassembler.h"
#include "analysis/frames.h"
#include "analysis/stack_use.h"

namespace nophook::analysis {

struct Instruction {
  const llvm::MCInst &inst;
  const llvm::MCInstrDesc &description;
  Bytes code; // from it to the end of its part of the function
  const FrameRow &frame;
  uint64_t position;              // bytes of the function's parts in front of it
  std::optional<uint64_t> target; // position that it jumps to
};

// A thread's only reader, since making one takes long. It reads one function at a time: begin(),
// look_at() for each instruction in its order, end().
class CodeReader {
public:
  explicit CodeReader(std::unique_ptr<Disassembler> disassembler)
      : disassembler_(std::move(disassembler)) {}
  virtual ~CodeReader() = default;

  const Disassembler &disassembler() const { return *disassembler_; }

  // `rows`: the rows of each of the function's parts.
  virtual void begin(llvm::ArrayRef<const FrameRows *>) {}
  virtual void look_at(const Instruction &instruction, StackUse &use) = 0;
  virtual void end(StackUse &) {}

  // Whether the instruction does nothing, or marks a place where a function may be entered.
  virtual bool is_nop(const Instruction &instruction) const = 0;

  // The bytes from the relocated field of a jump to the place that its distance counts from.
  virtual uint64_t jump_base() const = 0;

protected:
  const std::unique_ptr<Disassembler> disassembler_;
};

} // namespace nophook::analysis
