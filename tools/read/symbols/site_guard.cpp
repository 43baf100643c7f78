// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the entries of the table with the first bytes of functions, and looks for the cause of a
// difference.

#include "read/symbols/site_guard.h"

#include "foundation/counted.h"
#include "foundation/file.h"
#include "machine/machine.h"
#include "read/symbols/symbol_table.h"

#include <nophook/site.h>

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

namespace nophook {

using namespace llvm::ELF;

namespace {

struct Section {
  std::string_view name;
  uint64_t start, bytes;
  std::string_view contents;
};

std::vector<Section> sections_of(const ElfImage &image) {
  std::vector<Section> found;
  auto sections = image.elf().sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return found;
  }
  for (const auto &section : *sections) {
    auto name = image.elf().getSectionName(section);
    if (!name) {
      llvm::consumeError(name.takeError());
      continue;
    }
    std::string_view contents;
    if (section.sh_type != SHT_NOBITS) {
      auto bytes = image.elf().getSectionContents(section);
      if (bytes)
        contents = {reinterpret_cast<const char *>(bytes->data()), bytes->size()};
      else
        llvm::consumeError(bytes.takeError());
    }
    found.push_back({*name, section.sh_addr, section.sh_size, contents});
  }
  return found;
}

const Section *section_named(const std::vector<Section> &sections, std::string_view prefix) {
  for (const Section &section : sections)
    if (section.name.starts_with(prefix))
      return &section;
  return nullptr;
}

// The site at the entry of the function at `start`; 0: there is none.
uint64_t site_at_entry(const ElfImage &image, const Machine &machine, uint64_t start) {
  constexpr uint64_t kMostBytes = 16; // a landing pad and a site
  std::span<const uint8_t> code;
  for (uint64_t bytes = kMostBytes; code.empty() && bytes; bytes--)
    code = image.at(start, bytes);
  const auto offset = machine.site_at_entry({code.data(), code.size()});
  return offset ? start + *offset : 0;
}

// Null: sites of this file are like any other NOP.
const Machine *machine_with_sites(const ElfImage &image) {
  const Machine *machine = find_machine(image.machine());
  return machine && machine->site_at_entry ? machine : nullptr;
}

// Whether local functions are in the symbol table: then a function that is not there has no symbol,
// and cannot be found by name.
bool has_local_functions(const ElfImage &image) {
  auto sections = image.elf().sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return false;
  }
  for (const auto &section : *sections) {
    if (section.sh_type != SHT_SYMTAB)
      continue;
    auto symbols = image.elf().symbols(&section);
    if (!symbols) {
      llvm::consumeError(symbols.takeError());
      continue;
    }
    for (const auto &symbol : *symbols)
      if (symbol.getType() == STT_FUNC && symbol.getBinding() == STB_LOCAL)
        return true;
  }
  return false;
}

// The cause, if it is the linker. gold and mold leave their names in their output, and read no
// script with INSERT. The module object for them finds one table of each kind: it does not find
// another name, or the same with other flags.
std::string linker_cause(const std::vector<Section> &sections, const SiteTable &table) {
  const Section *comment = section_named(sections, ".comment");
  const bool is_mold = comment && comment->contents.find("mold ") != std::string_view::npos;
  if (!is_mold && !section_named(sections, ".note.gnu.gold-version"))
    return "";
  const bool is_table_found = table.has_note && !table.sites.empty();
  const bool is_other_name = section_named(sections, NOPHOOK_PFE_SECTION);
  return fmt::format("{} reads no linker script of ours{}", is_mold ? "mold" : "gold",
                     is_table_found || is_other_name
                         ? ", and these tables need one: link with GNU ld or lld"
                         : ": link with nophook_module_by_name.o (nophook cc does), or with GNU ld "
                           "or lld");
}

std::string cause_of(const std::vector<Section> &sections, const SiteTable &table) {
  if (section_named(sections, ".bolt.org.") || section_named(sections, ".note.bolt_info"))
    return "BOLT has moved the functions and not their table: trace the program as it was before";
  if (section_named(sections, "sanmd_"))
    return "-fexperimental-sanitize-metadata takes the place of the records: compile without it";
  if (std::string cause = linker_cause(sections, table); !cause.empty())
    return cause;
  if (!table.has_note)
    return "the file was linked without nophook_module.o and -Wl,-T,ftrace.lds";
  return "";
}

} // namespace

SiteGuard guard_sites(const ElfImage &image, const SiteTable &table) {
  SiteGuard guard;
  const Machine *machine = machine_with_sites(image);
  if (!machine || image.type() == ET_REL)
    return guard;
  const std::vector<Section> sections = sections_of(image);
  const SymbolTable symbols = SymbolTable::of(image);
  std::unordered_set<uint64_t> seen; // functions may have several names
  for (const Symbol &symbol : symbols.all_names()) {
    // Skips the runtime itself, if it is linked in: its probes are never traced.
    if (!symbol.bytes || symbol.name.starts_with("nophook_") ||
        !image.in_segment(symbol.address, 1, PF_X))
      continue;
    const uint64_t site = site_at_entry(image, *machine, symbol.address);
    if (!site || site >= symbol.address + symbol.bytes)
      continue;
    const auto entry =
        std::lower_bound(table.sites.begin(), table.sites.end(), site,
                         [](const Site &s, uint64_t address) { return s.address < address; });
    if ((entry != table.sites.end() && entry->address == site) || !seen.insert(site).second)
      continue;
    if (guard.without_entry++ == 0)
      guard.first = symbol.name;
  }
  // BOLT leaves some functions in the old text, where they run on, and their symbols stay there.
  const Section *old_text = section_named(sections, ".bolt.org.text");
  const bool knows_all = has_local_functions(image);
  bool is_replaced = false;
  for (const Site &site : table.sites) {
    const bool is_in_old_text = old_text && site.address - old_text->start < old_text->bytes;
    const bool is_dead = (is_in_old_text || knows_all) && !symbols.at_site(site.address);
    guard.dead += is_dead;
    is_replaced |= is_dead && !is_in_old_text;
  }
  if (!guard.is_good())
    guard.cause = cause_of(sections, table);
  if (guard.cause.empty() && is_replaced && !guard.without_entry)
    guard.cause =
        "no symbol names that code; a weak function that another file has replaced is such";
  return guard;
}

std::string lost_tables_cause(const ElfImage &image, const SiteTable &table) {
  return linker_cause(sections_of(image), table);
}

std::string lost_site_reason(const ElfImage &image, const SiteTable &table, uint64_t function) {
  const std::vector<Section> sections = sections_of(image);
  const bool was_moved =
      section_named(sections, ".bolt.org.text") &&
      std::ranges::any_of(sections, [function](const Section &section) {
        return section.name.starts_with(".text") && function - section.start < section.bytes;
      });
  const Machine *machine = machine_with_sites(image);
  const bool has_site = machine && site_at_entry(image, *machine, function);
  if (!was_moved && !has_site)
    return "";
  const std::string cause = cause_of(sections, table);
  return was_moved       ? cause
         : cause.empty() ? "its site is in no table"
                         : "its site is in no table: " + cause;
}

std::string SiteGuard::text() const {
  std::string text;
  if (without_entry)
    text = fmt::format("{} a site that is in no table, and cannot be traced ({})",
                       counted(without_entry, "function has", "functions have"),
                       without_entry == 1 ? first : "one is " + first);
  if (dead)
    text += fmt::format("{}{} of the table {} into code that never runs", text.empty() ? "" : "; ",
                        counted(dead, "entry", "entries"), dead == 1 ? "leads" : "lead");
  return text.empty() || cause.empty() ? text : text + ": " + cause;
}

void warn_of_lost_sites(const std::string &path) {
  const auto image = ElfImage::open(path);
  if (!image)
    return;
  SiteGuard guard = guard_sites(*image, read_sites(*image));
  guard.dead = 0;
  if (!guard.is_good())
    fmt::print(stderr, "nophook: warning: {}: {}\n", printable(path), printable(guard.text()));
}

} // namespace nophook
