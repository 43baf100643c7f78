// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/old_file.h"

#include "read/symbols/site_table.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace nophook {

using namespace llvm::ELF;

namespace {

// The full symbol table. The one that strip leaves (.dynsym) has no static functions.
const ElfFile::Elf_Shdr *symbol_section(ElfFile::Elf_Shdr_Range sections) {
  for (const auto &section : sections)
    if (section.sh_type == SHT_SYMTAB)
      return &section;
  return nullptr;
}

bool is_item(uint8_t type) {
  return type == STT_FUNC || type == STT_OBJECT || type == STT_TLS || type == STT_GNU_IFUNC ||
         type == STT_NOTYPE;
}

} // namespace

Result<OldFile> OldFile::open(const std::string &path) {
  auto image = ElfImage::open(path);
  NOPHOOK_TRY(image);
  if (image->type() != ET_EXEC && image->type() != ET_DYN)
    return error_at(path, "is no program and no library: --for names the file that runs");
  OldFile file(std::move(*image));
  NOPHOOK_TRY(file.read_symbols());
  for (const Site &site : read_sites(file.image_).sites) {
    file.sites_.insert(site.start);
    file.sites_.insert(site.address);
  }
  return file;
}

Result<> OldFile::read_symbols() {
  const auto failure = [&](llvm::Error error) {
    return error_at(path(), message_of(std::move(error)));
  };
  auto sections = image_.elf().sections();
  if (!sections)
    return failure(sections.takeError());
  const ElfFile::Elf_Shdr *table = symbol_section(*sections);
  if (!table)
    return error_at(path(), "is stripped: the runtime finds functions and variables by the symbol "
                            "table of the file that runs, so it must have one");
  auto symbols = image_.elf().symbols(table);
  if (!symbols)
    return failure(symbols.takeError());
  auto strings = image_.elf().getStringTableForSymtab(*table, *sections);
  if (!strings)
    return failure(strings.takeError());
  groups_.emplace_back();
  for (const auto &symbol : *symbols) {
    auto name = symbol.getName(*strings);
    if (!name)
      return failure(name.takeError());
    if (symbol.getType() == STT_FILE) {
      groups_.push_back(std::filesystem::path(name->str()).filename());
      continue;
    }
    if (symbol.st_shndx == SHN_UNDEF || name->empty() || !is_item(symbol.getType()))
      continue;
    OldSymbol item;
    item.linked = name->str();
    item.name = item.linked.substr(0, item.linked.find('@'));
    item.address = symbol.st_value;
    item.bytes = symbol.st_size;
    item.type = symbol.getType();
    item.binding = symbol.getBinding();
    if (item.binding == STB_LOCAL)
      item.group = (uint32_t)groups_.size() - 1;
    // lld keeps the visibility; GNU ld writes such symbols behind a FILE symbol without a name.
    item.is_hidden = item.binding == STB_LOCAL &&
                     (symbol.getVisibility() != STV_DEFAULT || groups_[item.group].empty());
    by_name_.emplace(item.name, symbols_.size());
    symbols_.push_back(std::move(item));
  }
  for (auto at = by_name_.begin(); at != by_name_.end();) {
    auto end = by_name_.upper_bound(at->first); // equal keys are in the order of the table
    if (std::distance(at, end) > 1)
      number(at, end);
    at = end;
  }
  return {};
}

void OldFile::number(ByName::iterator begin, ByName::iterator end) {
  std::map<std::string, uint32_t> functions;
  uint32_t all = 0;
  for (auto at = begin; at != end; ++at) {
    OldSymbol &symbol = symbols_[at->second];
    symbol.position = ++all;
    symbol.function_position = symbol.is_function() ? ++functions[symbol.linked] : 0;
  }
  for (auto at = begin; at != end; ++at)
    if (OldSymbol &symbol = symbols_[at->second]; functions[symbol.linked] == 1)
      symbol.function_position = 0;
}

std::string OldFile::build_id() const {
  std::string text;
  for (const uint8_t byte : image_.build_id())
    text += fmt::format("{:02x}", byte);
  return text;
}

std::string OldFile::object_name() const {
  // A position-independent program has an interpreter, and a library normally none.
  if (image_.type() == ET_EXEC || image_.has_segment(PT_INTERP))
    return {};
  const auto names = image_.dynamic_strings(DT_SONAME);
  return names.empty() ? std::filesystem::path(path()).filename().string() : names.front();
}

std::vector<const OldSymbol *> OldFile::named(const std::string &name) const {
  std::vector<const OldSymbol *> found;
  for (auto [at, end] = by_name_.equal_range(name); at != end; ++at)
    found.push_back(&symbols_[at->second]);
  return found;
}

const OldSymbol *OldFile::global(const std::string &name) const {
  const OldSymbol *hidden = nullptr;
  for (const OldSymbol *symbol : named(name)) {
    if (symbol->binding != STB_LOCAL)
      return symbol;
    if (symbol->is_hidden)
      hidden = symbol;
  }
  return hidden;
}

const OldSymbol *OldFile::local(const std::string &name, uint32_t group) const {
  for (const OldSymbol *symbol : named(name))
    if (symbol->binding == STB_LOCAL && symbol->group == group)
      return symbol;
  return nullptr;
}

std::vector<uint32_t> OldFile::groups_of(const std::string &base_name) const {
  std::vector<uint32_t> found;
  for (size_t i = 1; i < groups_.size(); i++)
    if (groups_[i] == base_name)
      found.push_back((uint32_t)i);
  return found;
}

std::vector<const OldSymbol *> OldFile::in_group(uint32_t group) const {
  std::vector<const OldSymbol *> found;
  for (const OldSymbol &symbol : symbols_)
    if (symbol.group == group)
      found.push_back(&symbol);
  return found;
}

bool OldFile::has_site(const OldSymbol &function) const {
  return sites_.contains(function.address) ||
         sites_.contains(function.address + 4); // behind a landing pad
}

std::vector<std::string> paths_of(const std::vector<OldFile> &files) {
  std::vector<std::string> paths;
  std::ranges::transform(files, std::back_inserter(paths), &OldFile::path);
  return paths;
}

} // namespace nophook
