// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/import_uses.h"
#include "analysis/functions.h"

#include "nophook/prototype.h"

#include <map>

namespace nophook {
namespace {

namespace ELF = llvm::ELF;

// Whether it is a direct call or jump in front of the distance, or a call through the slot.
bool calls_on_x86_64(Bytes code, const Elf::Rela &relocation) {
  const uint64_t at = relocation.r_offset;
  if (at < 2 || at > code.size())
    return false;
  const uint8_t first = code[at - 2], last = code[at - 1];
  switch (relocation.getType(false)) {
  case ELF::R_X86_64_PLT32:
  case ELF::R_X86_64_PC32:
    return last == 0xe8 || last == 0xe9 || (first == 0x0f && (last & 0xf0) == 0x80);
  case ELF::R_X86_64_GOTPCREL:
  case ELF::R_X86_64_GOTPCRELX:
    return first == 0xff && (last == 0x15 || last == 0x25);
  default:
    return false;
  }
}

// Whether it is a call. With -fno-plt, code loads the slot and calls the register, which no
// relocation shows.
bool calls_on_aarch64(const Elf::Rela &relocation) {
  const uint32_t type = relocation.getType(false);
  return type == ELF::R_AARCH64_CALL26 || type == ELF::R_AARCH64_JUMP26;
}

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
      const bool calls =
          is_code && (object.machine() == ELF::EM_X86_64 ? calls_on_x86_64(bytes, relocation)
                                                         : calls_on_aarch64(relocation));
      flags[symbol] |= calls ? NOPHOOK_IMPORT_CALLED : NOPHOOK_IMPORT_ADDRESS_TAKEN;
    }
  }
  std::vector<ImportUse> imports;
  for (auto [symbol, how] : flags)
    imports.push_back({object.symbol_name(object.symbols()[symbol]), how});
  return imports;
}

} // namespace nophook
