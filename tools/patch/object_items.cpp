// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/object_items.h"

#include "machine/machine.h"
#include "patch/object_file.h"
#include "read/symbols/elf_image.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace nophook {

namespace {

using namespace llvm::object;
using Section = ELFSectionRef;
using Symbol = ELFSymbolRef;

// Whether a section describes others. The linker gathers such sections, and the patch gets its own.
bool is_description(llvm::StringRef name) {
  for (const char *prefix :
       {".eh_frame", ".note", "__mcount_", "__ftrace", "__patchable_function_entries", ".nophook",
        ".llvm", ".comment", ".debug", "__bug_table"})
    if (name.starts_with(prefix))
      return true;
  return false;
}

// Clang puts all functions that initialize variables into one section, which is compared as a
// whole.
constexpr llvm::StringLiteral kStartupCode = ".text.startup";

bool is_startup(llvm::StringRef name) {
  if (name == kStartupCode)
    return true;
  for (const char *prefix : {".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors"})
    if (name.starts_with(prefix))
      return true;
  return false;
}

// The stem "name" of "name.12"; empty if there is no number.
llvm::StringRef without_number(llvm::StringRef name) {
  auto [stem, number] = name.rsplit('.');
  return !stem.empty() && !number.empty() && llvm::all_of(number, llvm::isDigit)
             ? stem
             : llvm::StringRef();
}

// Whether it is gcc's name of a table of values, which gcc makes of a `switch`.
bool is_made_by_compiler(llvm::StringRef name) {
  return name.starts_with("CSWTCH.");
}

class Reader {
public:
  explicit Reader(const ELFObjectFileBase &object, ObjectItems *into)
      : object_(object), into_(*into) {}

  llvm::Error read() {
    if (llvm::Error error = find_items())
      return error;
    name_items();
    for (const Section section : object_.sections())
      if (auto relocated = section.getRelocatedSection();
          relocated && *relocated != object_.section_end())
        relocated_.insert((*relocated)->getIndex());
      else if (!relocated)
        return relocated.takeError();
    for (bool of_stubs : {true, false}) // stubs first: others are resolved by them
      for (const Section section : object_.sections())
        if (llvm::Error error = read_references(section, of_stubs))
          return error;
    std::erase_if(items_, [](const auto &item) { return is_stubs(item.second.item); });
    for (auto &[index, named] : items_)
      if (!into_.items.emplace(named.name, std::move(named.item)).second)
        return error("two sections are " + llvm::Twine(named.name));
    add_exception_tables();
    return llvm::Error::success();
  }

private:
  struct Named {
    std::string name;
    ObjectItem item;
    std::set<std::string> names; // names of its symbols
    uint64_t symbol_size = 0;
  };

  static llvm::Error error(const llvm::Twine &text) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
  }

  // Whether an item is a pointer to a type. Clang puts these into .data without names, for
  // exception tables.
  static bool is_stubs(const ObjectItem &item) {
    return !item.is_named && item.kind == ObjectItem::Kind::kVariable;
  }

  bool is_merged(const Section &section) const { return section.getFlags() & llvm::ELF::SHF_MERGE; }

  // Makes an item of each section that is loaded, and is neither merged by the linker nor a
  // description.
  llvm::Error find_items() {
    for (const Section section : object_.sections()) {
      auto name = section.getName();
      if (!name)
        return name.takeError();
      const uint64_t flags = section.getFlags();
      if (!(flags & llvm::ELF::SHF_ALLOC) || is_merged(section) || is_description(*name) ||
          !section.getSize())
        continue;
      Named &named = items_[section.getIndex()];
      ObjectItem &item = named.item;
      item.kind = is_startup(*name)                  ? ObjectItem::Kind::kStartup
                  : flags & llvm::ELF::SHF_EXECINSTR ? ObjectItem::Kind::kFunction
                  : flags & llvm::ELF::SHF_TLS       ? ObjectItem::Kind::kThreadLocal
                  // only relocation writes it: constant, too
                  : flags & llvm::ELF::SHF_WRITE && !name->starts_with(".data.rel.ro")
                      ? ObjectItem::Kind::kVariable
                      : ObjectItem::Kind::kConstant;
      item.is_local = true;
      item.is_named = false;
      item.size = section.getSize();
      item.alignment = section.getAlignment().value();
      named.name = name->str();
      if (!section.isBSS()) {
        auto contents = section.getContents();
        if (!contents)
          return contents.takeError();
        item.bytes = contents->str();
      }
    }
    for (const Symbol symbol : object_.symbols()) {
      const uint8_t type = symbol.getELFType();
      if (type != llvm::ELF::STT_FUNC && type != llvm::ELF::STT_OBJECT &&
          type != llvm::ELF::STT_TLS && type != llvm::ELF::STT_GNU_IFUNC &&
          type != llvm::ELF::STT_NOTYPE)
        continue;
      auto name = symbol.getName();
      auto section = symbol.getSection();
      auto value = symbol.getValue();
      if (!name || !section || !value)
        return llvm::joinErrors(name.takeError(),
                                llvm::joinErrors(section.takeError(), value.takeError()));
      if (*section == object_.section_end() || name->empty() || name->starts_with(".L") ||
          is_made_by_compiler(*name) || (type == llvm::ELF::STT_NOTYPE && !symbol.getSize()))
        continue;
      auto at = items_.find((*section)->getIndex());
      if (at == items_.end())
        continue;
      Named &named = at->second;
      const bool is_startup_code = named.name == kStartupCode;
      if (!is_startup_code &&
          (*value || (named.item.is_named && symbol.getSize() != named.symbol_size)))
        return error("section " + llvm::Twine(named.name) +
                     " has several functions or variables, " + *name +
                     " is one: compile with -ffunction-sections -fdata-sections");
      named.item.is_named = true;
      named.item.is_local &= symbol.getBinding() == llvm::ELF::STB_LOCAL;
      named.symbol_size = symbol.getSize();
      named.names.insert(name->str());
    }
    return llvm::Error::success();
  }

  void name_items() {
    for (auto &[index, named] : items_) {
      if (named.names.empty())
        named.names.insert(named.name);
      else
        named.item.symbol = *named.names.begin();
      for (const std::string &name : named.names)
        if (llvm::StringRef stem = without_number(name); named.item.is_local && !stem.empty())
          renamed_[name] = fmt::format("{}.{}", stem.str(), into_.numbered[stem.str()]++);
      named.name = final_name(*named.names.begin());
      for (const std::string &name : named.names)
        if (final_name(name) != named.name)
          into_.aliases[final_name(name)] = named.name;
    }
  }

  std::string final_name(const std::string &name) const {
    auto at = renamed_.find(name);
    return at == renamed_.end() ? name : at->second;
  }

  // The contents that a linker merges: the string, or the constant, at `offset`.
  llvm::Expected<std::string> merged_contents(const Section &section, uint64_t offset) const {
    auto contents = section.getContents();
    if (!contents)
      return contents.takeError();
    const uint64_t width = entry_bytes(section);
    if (offset >= contents->size() || !width)
      return error("a reference leads out of a section of constants");
    llvm::StringRef text = contents->substr(offset);
    if (!(section.getFlags() & llvm::ELF::SHF_STRINGS))
      return "constant " + text.take_front(width).str();
    size_t end = 0;
    while (end + width <= text.size() &&
           !llvm::all_of(text.substr(end, width), [](char c) { return !c; }))
      end += width;
    return "string " + text.take_front(end).str();
  }

  uint64_t entry_bytes(const Section &section) const {
    const auto &elf =
        llvm::cast<ELFObjectFile<ELF64LE>>(object_); // read_object_items() has checked
    return elf.getSection(section.getRawDataRefImpl())->sh_entsize;
  }

  llvm::Error read_references(const Section &relocations, bool of_stubs) {
    auto relocated = relocations.getRelocatedSection();
    if (!relocated)
      return relocated.takeError();
    if (*relocated == object_.section_end())
      return llvm::Error::success();
    auto at = items_.find((*relocated)->getIndex());
    if (at == items_.end() || is_stubs(at->second.item) != of_stubs)
      return llvm::Error::success();
    ObjectItem &item = at->second.item;
    for (const RelocationRef relocation : relocations.relocations()) {
      auto reference = reference_of(relocation);
      if (!reference)
        return reference.takeError();
      if (reference->offset >= item.size)
        return error("a relocation is outside of " + llvm::Twine(at->second.name));
      item.references.push_back(std::move(*reference));
    }
    std::sort(item.references.begin(), item.references.end(),
              [](const Reference &a, const Reference &b) { return a.offset < b.offset; });
    return llvm::Error::success();
  }

  llvm::Expected<Reference> reference_of(const ELFRelocationRef &relocation) const {
    auto addend = relocation.getAddend();
    if (!addend)
      return addend.takeError();
    Reference reference = {relocation.getOffset(), (uint32_t)relocation.getType(), *addend, ""};
    auto symbol = relocation.getSymbol();
    if (symbol == object_.symbol_end())
      return reference;
    auto name = symbol->getName();
    auto section = symbol->getSection();
    auto value = symbol->getValue();
    if (!name || !section || !value)
      return llvm::joinErrors(name.takeError(),
                              llvm::joinErrors(section.takeError(), value.takeError()));
    if (*section == object_.section_end()) {
      reference.target = name->str();
      return reference;
    }
    if (is_merged(**section)) {
      // An assembler keeps the symbol, because the addend alone does not show which entry is meant.
      const bool has_symbol = Symbol(*symbol).getELFType() != llvm::ELF::STT_SECTION;
      auto contents = merged_contents(**section, has_symbol ? *value : *value + reference.addend);
      if (!contents)
        return contents.takeError();
      reference.target = std::move(*contents);
      if (!has_symbol)
        reference.addend = 0;
      return reference;
    }
    auto at = items_.find((*section)->getIndex());
    if (at == items_.end()) { // a description
      auto section_name = (*section)->getName();
      if (!section_name)
        return section_name.takeError();
      reference.target = section_name->str();
      return reference;
    }
    const auto &[found, item] = std::tie(at->second.name, at->second.item);
    if (is_stubs(item)) {
      const uint64_t place = *value + (uint64_t)reference.addend;
      for (const Reference &stub : item.references)
        if (stub.offset == place) {
          reference.target = "pointer to " + stub.target;
          reference.addend = 0;
          return reference;
        }
      return error("a reference to " + llvm::Twine(found) + " leads to no pointer in it");
    }
    // The number in a table's name changes with any other change.
    const bool is_plain_table = !item.is_named && item.kind == ObjectItem::Kind::kConstant &&
                                !relocated_.contains(at->first);
    reference.target = is_plain_table ? "table " + item.bytes : found;
    reference.addend += (int64_t)*value; // a label inside it
    return reference;
  }

  // Adds exception tables to their functions. Only the unwinder's tables lead to them, but each is
  // part of its function.
  void add_exception_tables() {
    constexpr llvm::StringRef kPrefix = ".gcc_except_table.";
    for (const auto &[name, table] : into_.items) {
      llvm::StringRef function = name;
      if (!function.consume_front(kPrefix))
        continue;
      auto alias = into_.aliases.find(function.str());
      auto at = into_.items.find(alias == into_.aliases.end() ? function.str() : alias->second);
      if (at != into_.items.end())
        at->second.references.push_back({at->second.size, 0, 0, name});
    }
  }

  const ELFObjectFileBase &object_;
  ObjectItems &into_;
  std::map<uint64_t, Named> items_; // by section
  std::set<uint64_t> relocated_;    // sections with relocations
  std::map<std::string, std::string> renamed_;
};

} // namespace

Result<ObjectItems> read_object_items(const std::string &path) {
  auto object = open_object(path);
  NOPHOOK_TRY(object);
  const auto &elf = object->elf();
  const bool is_known = llvm::isa<ELFObjectFile<ELF64LE>>(elf) && find_machine(elf.getEMachine());
  if (!is_known || elf.getEType() != llvm::ELF::ET_REL)
    return error_at(path, "is no relocatable object for " + machine_names(" or ") +
                              " (clang -c makes one)");
  ObjectItems items;
  if (llvm::Error error = Reader(elf, &items).read())
    return error_at(path, message_of(std::move(error)));
  return items;
}

} // namespace nophook
