// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "foundation/processor.h"

#include "machine/machine.h"

namespace nophook {

std::string processor_name(uint32_t processor) {
  const Machine *machine = find_machine(processor);
  return machine ? machine->name.str() : "ELF machine " + std::to_string(processor);
}

} // namespace nophook
