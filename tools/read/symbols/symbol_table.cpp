// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads symbols, chooses one for each address, and demangles.

#include "read/symbols/symbol_table.h"

#include "read/symbols/debug_file.h"

#include <algorithm>
#include <cxxabi.h>
#include <llvm/Demangle/Demangle.h>
#include <tuple>

namespace nophook {

using namespace llvm::ELF;

namespace {

uint8_t rank_of(const ElfFile::Elf_Sym &symbol) {
  uint8_t rank = symbol.getType() == STT_GNU_IFUNC ? 8 : symbol.getType() == STT_NOTYPE ? 4 : 0;
  switch (symbol.getBinding()) {
  case STB_GLOBAL:
    return rank;
  case STB_WEAK:
    return rank + 1;
  default:
    return rank + 2;
  }
}

bool is_function(const ElfFile::Elf_Sym &symbol) {
  // Whether a symbol is a function. Assembly is often without a type. Mapping symbols ($x) and
  // labels are none.
  return symbol.getType() == STT_FUNC || symbol.getType() == STT_GNU_IFUNC ||
         (symbol.getType() == STT_NOTYPE && symbol.getBinding() != STB_LOCAL);
}

} // namespace

void SymbolTable::add(const ElfImage &image, uint32_t section_type) {
  const ElfFile &elf = image.elf();
  auto sections = elf.sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return;
  }
  for (const auto &section : *sections) {
    if (section.sh_type != section_type)
      continue;
    auto symbols = elf.symbols(&section);
    auto strings = elf.getStringTableForSymtab(section, *sections);
    if (!symbols || !strings) {
      llvm::consumeError(symbols.takeError());
      llvm::consumeError(strings.takeError());
      continue;
    }
    for (const auto &symbol : *symbols) {
      if (!is_function(symbol) || symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS ||
          symbol.st_name >= strings->size())
        continue;
      std::string_view name(strings->data() + symbol.st_name, strings->size() - symbol.st_name);
      name = name.substr(0, name.find('\0'));
      if (!name.empty() && name[0] != '$')
        symbols_.push_back({symbol.st_value, symbol.st_size, name, rank_of(symbol),
                            symbol.getType() == STT_GNU_IFUNC});
    }
  }
}

void SymbolTable::sort() {
  std::sort(symbols_.begin(), symbols_.end(), [](const Symbol &a, const Symbol &b) {
    return std::make_tuple(a.address, a.rank, a.name.size(), a.name) <
           std::make_tuple(b.address, b.rank, b.name.size(), b.name);
  });
  size_t kept = 0;
  for (const Symbol &symbol : symbols_)
    if (kept && symbols_[kept - 1].address == symbol.address)
      others_.push_back(symbol);
    else
      symbols_[kept++] = symbol;
  symbols_.resize(kept);
  symbols_.shrink_to_fit();
}

SymbolTable SymbolTable::of(const ElfImage &image) {
  SymbolTable table;
  table.add(image, SHT_SYMTAB);
  if (table.empty()) {
    if (auto debug = find_debug_file(image)) {
      table.debug_ = std::make_shared<ElfImage>(std::move(*debug));
      table.add(*table.debug_, SHT_SYMTAB);
    }
  }
  table.is_whole_ = !table.empty();
  // .dynsym is read as well: a stripped file's .symtab may be a part (.gnu_debugdata style).
  table.add(image, SHT_DYNSYM);
  table.sort();
  return table;
}

SymbolTable SymbolTable::of(const std::vector<std::string> &names) {
  SymbolTable table;
  for (const std::string &name : names)
    table.symbols_.push_back({table.symbols_.size(), 1, name, 0, false});
  return table;
}

uint64_t SymbolTable::end_of(const Symbol &symbol) const {
  auto after = std::ranges::upper_bound(symbols_, symbol.address, {}, &Symbol::address);
  return after == symbols_.end() ? ~uint64_t{0} : after->address;
}

void SymbolTable::add(const std::vector<Symbol> &symbols) {
  const size_t before = symbols_.size();
  for (const Symbol &symbol : symbols) {
    auto at =
        std::lower_bound(symbols_.begin(), symbols_.begin() + (ptrdiff_t)before, symbol.address,
                         [](const Symbol &s, uint64_t address) { return s.address < address; });
    if (at == symbols_.begin() + (ptrdiff_t)before || at->address != symbol.address)
      symbols_.push_back(symbol);
  }
  sort();
}

std::vector<Symbol> SymbolTable::all_names() const {
  std::vector<Symbol> all = symbols_;
  all.insert(all.end(), others_.begin(), others_.end());
  return all;
}

const Symbol *SymbolTable::covering(uint64_t address) const {
  auto after =
      std::upper_bound(symbols_.begin(), symbols_.end(), address,
                       [](uint64_t value, const Symbol &symbol) { return value < symbol.address; });
  if (after == symbols_.begin())
    return nullptr;
  const Symbol &symbol = *(after - 1);
  bool inside = symbol.bytes ? address - symbol.address < symbol.bytes
                             : after == symbols_.end() || address < after->address;
  return inside ? &symbol : nullptr;
}

const Symbol *SymbolTable::at_site(uint64_t address) const {
  const Symbol *symbol = covering(address);
  // If the function's size is unknown, at most a landing pad is assumed before a site.
  return symbol && (symbol->bytes || address - symbol->address <= 4) ? symbol : nullptr;
}

namespace {

// LLVM's demangler does not know what clang calls a generic lambda of a function that is local to
// its file (_ZZ4mainENK3$_0clIiEEDaT_). The demangler of the C++ library does. Empty: neither does.
std::string other_demangled(std::string_view symbol) {
  if (!symbol.starts_with("_Z"))
    return "";
  char *name = abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, nullptr);
  std::string result = name ? printable(name) : "";
  std::free(name);
  return result;
}

// Removes the return type and the parameters: "auto f(int)::$_0::operator()<int> (int) const" keeps
// the part in between.
std::string without_types(std::string name) {
  int depth = 0;
  size_t at = name.rfind(')');
  for (; at != std::string::npos && at > 0; at--) {
    depth += name[at] == ')' ? 1 : name[at] == '(' ? -1 : 0;
    if (depth == 0)
      break;
  }
  name.resize(std::min(at, name.size()));
  // Searches backwards, since a type has blanks of its own; an operator's characters are no
  // brackets.
  for (at = std::min(name.rfind("operator"), name.size()), depth = 0; at > 0; at--) {
    char c = name[at - 1];
    depth += std::string_view(">)]}").find(c) != std::string_view::npos;
    depth -= std::string_view("<([{").find(c) != std::string_view::npos;
    bool is_qualifier = at > 1 && name[at - 2] == ')'; // f() const::$_0
    if (c == ' ' && depth == 0 && !is_qualifier)
      break;
  }
  return name.substr(at);
}

} // namespace

std::string full_name(std::string_view symbol) {
  if (symbol.size() > kMaxMangled)
    return printable(symbol.substr(0, kMaxMangled));
  std::string name = printable(llvm::demangle(symbol));
  std::string other = name == symbol ? other_demangled(symbol) : "";
  return other.empty() ? name : other;
}

std::string short_name(std::string_view symbol) {
  if (!symbol.starts_with("_Z") || symbol.size() > kMaxMangled)
    return full_name(symbol);
  std::string text(symbol); // the demangler continues to refer to it
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(text.c_str())) {
    std::string other = other_demangled(symbol);
    return other.empty() ? printable(symbol) : without_types(std::move(other));
  }
  size_t bytes = 0;
  char *name = demangler.isFunction() ? demangler.getFunctionName(nullptr, &bytes) : nullptr;
  if (!name)
    return full_name(symbol);
  std::string result = printable(name);
  std::free(name);
  return result;
}

} // namespace nophook
