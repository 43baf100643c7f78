// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The differences between LLVM's versions. No other file of recordmcount depends on them.

#pragma once

#include "llvm/Config/llvm-config.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

namespace nophook::analysis {

// Targets and their parts were named by a text before LLVM 22, and are by a Triple since.
#if LLVM_VERSION_MAJOR >= 22
using TargetName = llvm::Triple;
#else
using TargetName = std::string;
#endif

inline const llvm::Target *find_target(const char *triple) {
  std::string error;
  return llvm::TargetRegistry::lookupTarget(TargetName(triple), error);
}

inline void make_machine_code(const llvm::Target &target, const char *triple, const char *features,
                              std::unique_ptr<llvm::MCRegisterInfo> &registers,
                              std::unique_ptr<llvm::MCAsmInfo> &assembler,
                              std::unique_ptr<llvm::MCSubtargetInfo> &subtarget) {
  const TargetName name(triple);
  registers.reset(target.createMCRegInfo(name));
  assembler.reset(target.createMCAsmInfo(*registers, name, llvm::MCTargetOptions()));
  subtarget.reset(target.createMCSubtargetInfo(name, "", features));
}

} // namespace nophook::analysis
