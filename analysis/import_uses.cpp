// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/import_uses.h"
#include "analysis/object_functions.h"

#include "nophook/prototype.h"

#include <map>

namespace nophook::analysis {
namespace {

namespace ELF = llvm::ELF;

bool is_import(const Object &object, uint32_t symbol) {
  const Elf::Sym &entry = object.symbols()[symbol];
  const llvm::StringRef name = object.symbol_name(entry);
  return symbol && entry.st_shndx == ELF::SHN_UNDEF && !name.empty() && !is_mcount(name) &&
         entry.getVisibility() == ELF::STV_DEFAULT;
}

} // namespace

std::vector<ImportUse> find_imports(const Object &object) {
  std::map<uint32_t, uint32_t> flags; // by symbol
  for (uint32_t i = 1; i < object.sections().size(); i++) {
    const Elf::Shdr &table = object.sections()[i];
    if (table.sh_type != ELF::SHT_RELA || table.sh_info >= object.sections().size())
      continue;
    const Elf::Shdr &section = object.sections()[table.sh_info];
    if (!(section.sh_flags & ELF::SHF_ALLOC))
      continue;
    const bool is_code = section.sh_flags & ELF::SHF_EXECINSTR;
    const Bytes bytes = object.contents(table.sh_info);
    for (const Elf::Rela &relocation : object.relocations(i)) {
      const uint32_t symbol = relocation.getSymbol(false);
      if (!is_import(object, symbol))
        continue;
      const bool calls = is_code && object.machine().is_call(bytes, relocation);
      flags[symbol] |= calls ? NOPHOOK_IMPORT_CALLED : NOPHOOK_IMPORT_ADDRESS_TAKEN;
    }
  }
  std::vector<ImportUse> imports;
  for (auto [symbol, how] : flags)
    imports.push_back({object.symbol_name(object.symbols()[symbol]), how});
  return imports;
}

} // namespace nophook::analysis
