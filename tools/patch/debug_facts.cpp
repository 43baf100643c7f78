// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/debug_facts.h"

#include "foundation/damaged_file.h"
#include "read/symbols/elf_image.h" // message_of

#include <filesystem>
#include <fmt/format.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDie.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/raw_ostream.h>

namespace nophook {

namespace {

using namespace llvm::dwarf;
using llvm::DWARFDie;

uint64_t number(const DWARFDie &die, Attribute attribute, uint64_t otherwise = 0) {
  return toUnsigned(die.find(attribute), otherwise);
}

DWARFDie type_of(const DWARFDie &die) {
  return die.getAttributeValueAsReferencedDie(DW_AT_type);
}

std::string type_name(const DWARFDie &type) {
  if (!type)
    return "void";
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::dumpTypeQualifiedName(type, out);
  return text;
}

bool is_record(const DWARFDie &die) {
  return die.getTag() == DW_TAG_structure_type || die.getTag() == DW_TAG_class_type ||
         die.getTag() == DW_TAG_union_type;
}

bool is_definition(const DWARFDie &die) {
  return die.find(DW_AT_byte_size) && !die.find(DW_AT_declaration);
}

// The names of the scopes around it as a prefix, functions included: several functions may have
// static functions or types of the same name.
std::string scope_of(const DWARFDie &die) {
  std::string scope;
  for (DWARFDie parent = die.getParent(); parent; parent = parent.getParent())
    if (const char *name = parent.getShortName(); name && parent.getTag() != DW_TAG_compile_unit)
      scope = std::string(name) + "::" + scope;
  return scope;
}

std::string layout_of(const DWARFDie &record, unsigned depth = 0) {
  std::string text = fmt::format("{} bytes:", number(record, DW_AT_byte_size));
  for (const DWARFDie &child : record.children()) {
    const bool is_base = child.getTag() == DW_TAG_inheritance;
    if ((!is_base && child.getTag() != DW_TAG_member) || child.find(DW_AT_external))
      continue; // a static member is a variable
    const DWARFDie type = type_of(child);
    const char *name = child.getShortName();
    const bool has_name = type && type.getShortName();
    text += fmt::format(" {} {} at {}.{}/{},",
                        type && is_record(type) && !has_name && depth < 8
                            ? "{" + layout_of(type, depth + 1) + "}"
                            : type_name(type),
                        is_base ? "base"
                        : name  ? name
                                : "",
                        number(child, DW_AT_data_member_location),
                        number(child, DW_AT_data_bit_offset), number(child, DW_AT_bit_size));
  }
  return text;
}

std::string linked_name(const DWARFDie &function) {
  if (const char *name = function.getLinkageName())
    return name;
  const char *name = function.getShortName();
  return name ? name : "";
}

// The DIE that has the parameters as in the source.
DWARFDie origin_of(const DWARFDie &function) {
  const DWARFDie origin = function.getAttributeValueAsReferencedDie(DW_AT_abstract_origin);
  return origin ? origin : function;
}

std::string prototype_of(const DWARFDie &function) {
  const DWARFDie origin = origin_of(function);
  DWARFDie result = type_of(origin);
  if (const DWARFDie declared = origin.getAttributeValueAsReferencedDie(DW_AT_specification);
      !result && declared)
    result = type_of(declared);
  std::string text = type_name(result) + " (";
  bool is_first = true;
  for (const DWARFDie &child : origin.children()) {
    const bool is_open = child.getTag() == DW_TAG_unspecified_parameters;
    if (!is_open && child.getTag() != DW_TAG_formal_parameter)
      continue;
    text += (is_first ? "" : ", ") + (is_open ? "..." : type_name(type_of(child)));
    is_first = false;
  }
  return text + ")";
}

void add_inlined(const DWARFDie &die, std::set<std::string> *names) {
  for (const DWARFDie &child : die.children()) {
    if (child.getTag() == DW_TAG_inlined_subroutine)
      names->insert(linked_name(child));
    if (child.getTag() != DW_TAG_subprogram)
      add_inlined(child, names);
  }
}

void add_function(const DWARFDie &function, DebugFacts *facts) {
  const std::string name = linked_name(function);
  const bool is_concrete = function.find(DW_AT_low_pc) || function.find(DW_AT_ranges);
  const bool is_abstract = function.find(DW_AT_inline).has_value();
  if (name.empty() || (!is_concrete && !is_abstract))
    return;
  FunctionFacts &into = facts->functions[name];
  into.file =
      std::filesystem::path(
          function.getDeclFile(llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath))
          .lexically_normal();
  into.line = (unsigned)function.getDeclLine();
  if (!is_concrete)
    return;
  into.prototype = prototype_of(function);
  add_inlined(function, &into.inlined);
}

} // namespace

std::set<std::string> DebugFacts::functions_at(const std::string &file, const std::string &name,
                                               unsigned line) const {
  std::set<std::string> names;
  unsigned best = 1;
  const auto is_it = [&](const std::string &other) {
    return other == file || other == name || other.ends_with("/" + name);
  };
  for (const auto &[linked, function] : functions) {
    if (!is_it(function.file) || function.line > line || function.line < best)
      continue;
    if (function.line > best)
      names.clear();
    best = function.line;
    names.insert(linked);
  }
  return names;
}

Result<DebugFacts> read_debug_facts(const std::string &path) {
  name_read_file(path);
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file)
    return error_at(path, message_of(file.takeError()));
  const auto context = llvm::DWARFContext::create(*file->getBinary());
  DebugFacts facts;
  bool has_units = false;
  for (const auto &unit : context->compile_units()) {
    has_units = true;
    // False reads all DIEs, not only the first one.
    const DWARFDie root = unit->getUnitDIE(/*ExtractUnitDIEOnly=*/false);
    if (!root)
      continue;
    for (size_t i = 0; i < unit->getNumDIEs(); i++) {
      const DWARFDie die = unit->getDIEAtIndex((unsigned)i);
      if (die.getTag() == DW_TAG_subprogram)
        add_function(die, &facts);
      else if (const char *name =
                   is_record(die) && is_definition(die) ? die.getShortName() : nullptr)
        facts.layouts[scope_of(die) + name] = layout_of(die);
    }
  }
  if (!has_units)
    return error_at(path, "has no debug info");
  return facts;
}

} // namespace nophook
