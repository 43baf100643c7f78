// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/disassembler.h"
#include "analysis/compat.h"

#include <mutex>

namespace nophook::analysis {

std::unique_ptr<Disassembler> Disassembler::create(void (*register_target)(), const char *triple,
                                                   const char *features) {
  // LLVM's registry is a list without a lock. Two threads that register a target at the same time
  // close it to a ring, in which a search never ends.
  static std::mutex registry;
  const std::lock_guard lock(registry);
  register_target();
  const llvm::Target *target = find_target(triple);
  if (!target)
    return nullptr;
  auto made = std::make_unique<Disassembler>();
  make_machine_code(*target, triple, features, made->registers, made->assembler, made->subtarget);
  made->instructions.reset(target->createMCInstrInfo());
  made->analysis.reset(target->createMCInstrAnalysis(made->instructions.get()));
  made->context = std::make_unique<llvm::MCContext>(llvm::Triple(triple), made->assembler.get(),
                                                    made->registers.get(), made->subtarget.get());
  made->decoder.reset(target->createMCDisassembler(*made->subtarget, *made->context));
  return made->decoder && made->analysis ? std::move(made) : nullptr;
}

} // namespace nophook::analysis
