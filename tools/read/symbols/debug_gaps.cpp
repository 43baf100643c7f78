// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares each unit with the parts that it refers to.

#include "read/symbols/debug_gaps.h"

#include "foundation/damaged_file.h"
#include "read/symbols/debug_file.h"

#include <filesystem>
#include <fmt/format.h>
#include <llvm/DebugInfo/DWARF/DWARFCompileUnit.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>

namespace nophook {

using namespace llvm;
using namespace llvm::dwarf;

namespace {

using ObjectFile = object::ObjectFile;
using Binary = object::OwningBinary<ObjectFile>;

Binary open_debug_info(const ElfImage &image) {
  auto debug = find_debug_file(image);
  name_read_file(image.path());
  auto file = ObjectFile::createObjectFile(debug ? debug->path() : image.path());
  if (file)
    return std::move(*file);
  consumeError(file.takeError());
  return {};
}

std::unique_ptr<DWARFContext> context_of(const ObjectFile &file) {
  auto ignore = [](llvm::Error error) { consumeError(std::move(error)); };
  return DWARFContext::create(file, DWARFContext::ProcessDebugRelocations::Ignore, nullptr, "",
                              ignore, ignore);
}

const char *split_name(DWARFUnit &unit) {
  return toString(unit.getUnitDIE().find({DW_AT_dwo_name, DW_AT_GNU_dwo_name}), nullptr);
}

bool may_be_opened(const std::string &path) {
  std::error_code error;
  auto status = std::filesystem::status(path, error);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

bool has_types(DWARFUnit &unit) {
  for (const DWARFDebugInfoEntry &entry : unit.dies())
    if (const auto tag = entry.getTag(); tag == DW_TAG_base_type || tag == DW_TAG_pointer_type)
      return true;
  return false;
}

// The name in .gnu_debugaltlink, by which dwz -m names the file with the common parts.
std::string common_file(const ObjectFile &file) {
  for (const object::SectionRef &section : file.sections()) {
    auto name = section.getName();
    auto contents = section.getContents();
    if (name && contents && *name == ".gnu_debugaltlink")
      return contents->split('\0').first.str();
    consumeError(name.takeError());
    consumeError(contents.takeError());
  }
  return "";
}

} // namespace

bool split_files_may_be_opened(const ObjectFile &file) {
  if (!may_be_opened((file.getFileName() + ".dwp").str()))
    return false;
  auto context = context_of(file);
  for (const auto &unit : context->compile_units()) {
    const char *name = split_name(*unit);
    const char *folder = toString(unit->getUnitDIE().find(DW_AT_comp_dir), nullptr);
    if (name && !may_be_opened(std::filesystem::path(folder ? folder : "") / name))
      return false;
  }
  return true;
}

UnitDebug unit_debug_at(const ElfImage &image, uint64_t address) {
  const Binary file = open_debug_info(image);
  if (!file.getBinary())
    return {};
  auto context = context_of(*file.getBinary());
  DWARFUnit *unit = context->getCompileUnitForCodeAddress(address);
  if (!unit)
    return {};
  UnitDebug found;
  DWARFUnit *whole = unit;
  if (const char *name = split_name(*unit)) {
    found.kind = UnitDebug::Kind::kSplit;
    found.split_file = printable(name);
    if (split_files_may_be_opened(*file.getBinary()))
      whole = unit->getNonSkeletonUnitDIE(/*ExtractUnitDIEOnly=*/false).getDwarfUnit();
  } else {
    found.kind = has_types(*unit) ? UnitDebug::Kind::kWhole : UnitDebug::Kind::kLines;
  }
  const StringRef producer = toStringRef(whole->getUnitDIE().find(DW_AT_producer), "GNU");
  found.is_gnu = producer.starts_with("GNU");
  return found;
}

std::string unread_debug_info(const ElfImage &image) {
  const Binary file = open_debug_info(image);
  if (!file.getBinary())
    return "";
  if (const std::string common = common_file(*file.getBinary()); !common.empty())
    return fmt::format("its debug info is in part in {} (dwz -m), which is not read",
                       printable(common));
  const bool may_open = split_files_may_be_opened(*file.getBinary());
  auto context = context_of(*file.getBinary());
  for (const auto &unit : context->compile_units()) {
    const char *name = split_name(*unit);
    if (name && (!may_open || unit->getNonSkeletonUnitDIE().getDwarfUnit() == unit.get()))
      return fmt::format("its debug info is in {}, which is missing", printable(name));
  }
  return "";
}

} // namespace nophook
