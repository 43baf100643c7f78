// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine/machine.h"
#include "machine/cpus.h"

namespace nophook {

#define ROW(cpu)                                                                                   \
  namespace cpu {                                                                                  \
  extern const Machine kMachine;                                                                   \
  }
NOPHOOK_CPUS(ROW)
#undef ROW

namespace {

#define ROW(cpu) &cpu::kMachine,
const Machine *const kMachines[] = {NOPHOOK_CPUS(ROW)};
#undef ROW

} // namespace

const Machine *find_machine(uint32_t number) {
  for (const Machine *machine : kMachines)
    if (machine->number == number)
      return machine;
  return nullptr;
}

const Machine *machine_of_arch(llvm::StringRef arch) {
  for (const Machine *machine : kMachines)
    if (machine->arch == arch)
      return machine;
  return nullptr;
}

const Machine *machine_of_emulation(llvm::StringRef name) {
  for (const Machine *machine : kMachines)
    if (machine->is_emulation(name))
      return machine;
  return nullptr;
}

std::string machine_names(llvm::StringRef between, bool (*chosen)(const Machine &)) {
  llvm::SmallVector<const Machine *> machines;
  for (const Machine *machine : kMachines)
    if (!chosen || chosen(*machine))
      machines.push_back(machine);
  std::string text;
  for (size_t i = 0; i < machines.size(); i++)
    text += (i == 0                    ? ""
             : i + 1 < machines.size() ? ", "
                                       : between.str()) +
            machines[i]->name.str();
  return text;
}

} // namespace nophook
