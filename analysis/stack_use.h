// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function's uses of the stack above its own frame.
//
// Debug info lacks two facts that matter to function_graph: whether code reads its own return
// address (__builtin_return_address), and whether a clone, whose signature the optimizer has
// changed, has arguments on the stack. The code shows both: unwind tables give the frame's top (the
// CFA) for each instruction, and compilers reach the values above it by the register that the
// tables name. The details are in the code_reader.cpp of each CPU in machine/.

#pragma once

#include "analysis/code_range.h"
#include "analysis/frames.h"

namespace nophook::analysis {

class CodeReader;

// The target of a jump that leaves the function: another function takes over its arguments.
struct JumpOut {
  uint32_t symbol = 0;  // 0: an address of this object, or unknown
  uint32_t section = 0; // 0: unknown
  uint64_t offset = 0;
};

struct StackUse {
  bool is_known = false;               // all code was read, and unwind tables cover it
  bool reads_return_address = false;   // or it follows the chain of frames
  bool takes_argument_address = false; // it may use any byte above the frame
  uint64_t argument_bytes = 0;         // argument bytes that it uses itself, at least
  int64_t last_argument = -1;          // the highest offset of these; -1: none
  std::vector<JumpOut> jumps;
  bool only_jumps = true; // there are only NOPs before
};

class StackUses {
public:
  // `object` must outlive this object.
  explicit StackUses(const Object &object);

  // The use by all code of a function, which may have a part elsewhere that rarely runs.
  StackUse of(llvm::ArrayRef<CodeRange> parts) const;

private:
  bool read(const CodeRange &part, const FrameRows &rows, uint64_t position,
            llvm::ArrayRef<CodeRange> parts, StackUse &use) const;
  const FrameRows *rows_of(const CodeRange &part) const;
  bool has_data(const CodeRange &part) const;
  bool is_of_mcount(const Elf::Rela &relocation) const;
  JumpOut target_of(const Elf::Rela &relocation) const;

  const Object &object_;
  const Machine &machine_;
  CodeReader *const reader_;
  const Frames frames_;
  std::vector<std::vector<const Elf::Rela *>> relocations_; // by section, ascending
  std::vector<std::pair<uint32_t, uint64_t>> data_;         // within code: section, offset
};

} // namespace nophook::analysis
