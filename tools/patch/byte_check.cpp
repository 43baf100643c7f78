// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/byte_check.h"

#include "patch/object_file.h"
#include "read/symbols/elf_image.h"

namespace nophook {

using namespace llvm::ELF;

bool are_equal_outside(std::span<const uint8_t> a, std::span<const uint8_t> b,
                       const std::vector<ByteRange> &fields) {
  if (a.size() != b.size())
    return false;
  std::vector<bool> is_field(a.size());
  for (const ByteRange &field : fields)
    for (int64_t i = std::max<int64_t>(field.begin, 0); i < field.end && i < (int64_t)a.size(); i++)
      is_field[(size_t)i] = true;
  for (size_t i = 0; i < a.size(); i++)
    if (!is_field[i] && a[i] != b[i])
      return false;
  return true;
}

namespace {

using namespace llvm::object;

llvm::Error add_symbol(const ELFObjectFileBase &object, const ELFSymbolRef &symbol,
                       std::map<uint64_t, std::vector<std::pair<uint64_t, std::string>>> *functions,
                       ObjectSymbols *into) {
  auto name = symbol.getName();
  auto section = symbol.getSection();
  auto value = symbol.getValue();
  if (!name || !section || !value)
    return llvm::joinErrors(name.takeError(),
                            llvm::joinErrors(section.takeError(), value.takeError()));
  const uint8_t type = symbol.getELFType();
  if (name->empty() || type == STT_FILE || type == STT_SECTION || name->starts_with(".L"))
    return llvm::Error::success();
  auto flags = symbol.getFlags();
  if (!flags)
    return flags.takeError();
  if (*flags & BasicSymbolRef::SF_Undefined) {
    into->undefined.push_back(name->str());
    return llvm::Error::success();
  }
  const bool is_local = symbol.getBinding() == STB_LOCAL;
  if (type != STT_FUNC || *section == object.section_end()) {
    into->data[name->str()] = is_local;
    return llvm::Error::success();
  }
  auto contents = (*section)->getContents();
  if (!contents)
    return contents.takeError();
  ObjectFunction function;
  function.bytes = contents->substr(*value, symbol.getSize()).str();
  function.is_local = is_local;
  function.is_weak = symbol.getBinding() == STB_WEAK;
  into->functions[name->str()] = function;
  (*functions)[(*section)->getIndex()].emplace_back(*value, name->str());
  return llvm::Error::success();
}

llvm::Error read(const ELFObjectFileBase &object, ObjectSymbols *into) {
  const Machine *machine = find_machine(object.getEMachine());
  const bool has_fields = machine && machine->linked_field;
  std::map<uint64_t, std::vector<std::pair<uint64_t, std::string>>> functions; // by section
  for (const ELFSymbolRef symbol : object.symbols())
    if (llvm::Error error = add_symbol(object, symbol, &functions, into))
      return error;
  for (const ELFSectionRef section : object.sections()) {
    auto relocated = section.getRelocatedSection();
    if (!relocated)
      return relocated.takeError();
    if (*relocated == object.section_end())
      continue;
    auto at = functions.find((*relocated)->getIndex());
    if (at == functions.end())
      continue;
    for (const ELFRelocationRef relocation : section.relocations())
      for (const auto &[start, name] : at->second) {
        ObjectFunction &function = into->functions[name];
        const uint64_t offset = relocation.getOffset() - start;
        if (has_fields && offset < function.bytes.size())
          function.fields.push_back(
              machine->linked_field((uint32_t)relocation.getType(), (int64_t)offset));
      }
  }
  return llvm::Error::success();
}

} // namespace

Result<ObjectSymbols> read_object_symbols(const std::string &path) {
  auto object = open_object(path);
  NOPHOOK_TRY(object);
  ObjectSymbols symbols;
  symbols.processor = object->elf().getEMachine();
  if (llvm::Error error = read(object->elf(), &symbols))
    return error_at(path, message_of(std::move(error)));
  return symbols;
}

} // namespace nophook
