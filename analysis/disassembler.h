// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's disassembler of one CPU, with the tables that describe its instructions.

#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"

#include <memory>

namespace nophook::analysis {

struct Disassembler {
  // Null if LLVM was built without this target. Takes longer than reading a small object. Several
  // threads may call it at once.
  static std::unique_ptr<Disassembler> create(void (*register_target)(), const char *triple,
                                              const char *features);

  const llvm::MCInstrDesc &describe(const llvm::MCInst &inst) const {
    return instructions->get(inst.getOpcode());
  }
  llvm::StringRef name(const llvm::MCInst &inst) const {
    return instructions->getName(inst.getOpcode());
  }

  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembler;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCInstrAnalysis> analysis; // targets of branches
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> decoder;
};

} // namespace nophook::analysis
