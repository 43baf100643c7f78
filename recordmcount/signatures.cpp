// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "signatures.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Object/ObjectFile.h"

namespace nophook {

using llvm::DWARFDie;
namespace dwarf = llvm::dwarf;

namespace {

// Compressed sections are unpacked whole, as large as they claim to be. What no compressor could
// have made is damage.
bool is_plausible(const Object &object, uint32_t section) {
  constexpr uint64_t kBestRatio = 2000;
  if (!(object.sections()[section].sh_flags & llvm::ELF::SHF_COMPRESSED))
    return true;
  const Bytes bytes = object.contents(section);
  if (object.sections()[section].sh_type != llvm::ELF::SHT_PROGBITS ||
      bytes.size() < sizeof(Elf::Chdr))
    return false;
  const auto *header = reinterpret_cast<const Elf::Chdr *>(bytes.data());
  return header->ch_size / kBestRatio <= bytes.size();
}

bool has_debug_info(const Object &object) {
  bool found = false;
  for (uint32_t i = 1; i < object.sections().size(); i++) {
    if (!is_plausible(object, i))
      return false;
    found |= object.name(i) == ".debug_info";
  }
  return found;
}

// Follows abstract_origin and specification to the DIE with the parameters.
DWARFDie source_of(DWARFDie die) {
  for (unsigned depth = 0; depth < 8; depth++) {
    DWARFDie origin = die.getAttributeValueAsReferencedDie(dwarf::DW_AT_abstract_origin);
    if (!origin)
      return die;
    die = origin;
  }
  return die;
}

} // namespace

Signatures::Signatures(const Object &object) {
  if (!has_debug_info(object))
    return;
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(object.image(), "object"), /*InitContent=*/false);
  if (!file) {
    llvm::consumeError(file.takeError());
    return;
  }
  file_ = std::move(*file);
  auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  context_ = llvm::DWARFContext::create(
      *file_, llvm::DWARFContext::ProcessDebugRelocations::Process, nullptr, "", ignore, ignore);
  for (const auto &unit : context_->compile_units())
    read(*unit);
}

Signatures::Signatures() = default;
Signatures::Signatures(Signatures &&) noexcept = default;
Signatures &Signatures::operator=(Signatures &&) noexcept = default;
Signatures::~Signatures() = default;

void Signatures::read(llvm::DWARFUnit &unit) {
  // All DIEs in a row, without recursion: damaged debug info may be deep.
  if (!unit.getUnitDIE(/*ExtractUnitDIEOnly=*/false))
    return;
  for (const llvm::DWARFDebugInfoEntry &entry : unit.dies())
    if (entry.getTag() == dwarf::DW_TAG_subprogram)
      add(DWARFDie(&unit, &entry));
}

void Signatures::add(DWARFDie die) {
  // A file's local functions may share a name: the first one will not do for all.
  const bool is_external = die.find(dwarf::DW_AT_external).has_value();
  if (const char *name = is_external ? die.getLinkageName() : nullptr)
    named_.try_emplace(name, Signature{die, source_of(die)});
  else if (const char *plain = is_external ? die.getShortName() : nullptr)
    named_.try_emplace(plain, Signature{die, source_of(die)});
  if (!die.find({dwarf::DW_AT_low_pc, dwarf::DW_AT_ranges}))
    return;
  auto ranges = die.getAddressRanges();
  if (!ranges) {
    llvm::consumeError(ranges.takeError());
    return;
  }
  for (const llvm::DWARFAddressRange &range : *ranges)
    if (range.SectionIndex != llvm::object::SectionedAddress::UndefSection)
      functions_.emplace(std::pair(uint32_t(range.SectionIndex), range.LowPC),
                         Signature{die, source_of(die)});
}

const Signature *Signatures::named(llvm::StringRef symbol) const {
  auto found = named_.find(symbol);
  return found == named_.end() ? nullptr : &found->second;
}

const Signature *Signatures::at(uint32_t section, uint64_t offset) const {
  auto found = functions_.find({section, offset});
  return found == functions_.end() ? nullptr : &found->second;
}

} // namespace nophook
