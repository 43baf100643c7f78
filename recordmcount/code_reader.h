// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One CPU's part in the reading of code: what an instruction does above its function's frame.

#pragma once

#include "disassembler.h"
#include "frames.h"
#include "stack_use.h"

namespace nophook {

struct Instruction {
  const llvm::MCInst &inst;
  const llvm::MCInstrDesc &description;
  Bytes code; // from it to the end of its part of the function
  const FrameRow &frame;
  uint64_t position;              // bytes in front of it, of all of the function's parts
  std::optional<uint64_t> target; // the position that it jumps to
};

// The one reader of a thread, since it takes long to make. It reads one function at a time:
// begin(), look_at() for each instruction in its order, end().
class CodeReader {
public:
  explicit CodeReader(std::unique_ptr<Disassembler> disassembler)
      : disassembler_(std::move(disassembler)) {}
  virtual ~CodeReader() = default;

  const Disassembler &disassembler() const { return *disassembler_; }

  // `rows`: of all of its parts.
  virtual void begin(llvm::ArrayRef<const FrameRows *>) {}
  virtual void look_at(const Instruction &instruction, StackUse &use) = 0;
  virtual void end(StackUse &) {}

  // Does nothing, or marks where a function may be entered.
  virtual bool is_nop(const Instruction &instruction) const = 0;

  // Bytes from the relocated field of a jump to the place that its distance counts from.
  virtual uint64_t jump_base() const = 0;

protected:
  const std::unique_ptr<Disassembler> disassembler_;
};

// Null if LLVM lacks the CPU.
CodeReader *x86_64_code_reader();
CodeReader *aarch64_code_reader();

} // namespace nophook
