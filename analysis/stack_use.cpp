// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/stack_use.h"
#include "analysis/code_reader.h"
#include "analysis/cpu_code.h"
#include "analysis/object_functions.h"

#include "llvm/ADT/STLExtras.h"

namespace nophook::analysis {
namespace {

namespace ELF = llvm::ELF;

// The bytes of the function's code in front of a place, if the place is in the function.
std::optional<uint64_t> position_of(llvm::ArrayRef<CodeRange> parts, uint32_t section,
                                    uint64_t offset) {
  uint64_t position = 0;
  for (const CodeRange &part : parts) {
    if (part.section == section && part.start <= offset && offset < part.end)
      return position + offset - part.start;
    position += part.end - part.start;
  }
  return std::nullopt;
}

// Some CPUs' assemblers mark where data begins between instructions.
bool is_mark_of_data(llvm::StringRef symbol) {
  return symbol == "$d" || symbol.starts_with("$d.");
}

} // namespace

StackUses::StackUses(const Object &object)
    : object_(object), machine_(object.machine()), reader_(cpu_code(machine_).reader()),
      frames_(object) {
  relocations_.resize(object.sections().size());
  for (uint32_t i = 1; i < object.sections().size(); i++) {
    const uint32_t section = object.sections()[i].sh_info;
    if (object.sections()[i].sh_type == ELF::SHT_RELA &&
        object.sections()[section].sh_flags & ELF::SHF_EXECINSTR)
      for (const Elf::Rela &relocation : object.relocations(i))
        relocations_[section].push_back(&relocation);
  }
  auto order = [](const Elf::Rela *a, const Elf::Rela *b) { return a->r_offset < b->r_offset; };
  for (auto &relocations : relocations_)
    if (!llvm::is_sorted(relocations, order)) // compilers write them in order
      llvm::sort(relocations, order);
  if (!machine_.marks_data)
    return;
  for (uint32_t i = 1; i < object.symbols().size(); i++) {
    const llvm::StringRef name = object.symbol_name(object.symbols()[i]);
    if (const uint32_t section = object.section_of(i); section && is_mark_of_data(name))
      data_.push_back({section, object.symbols()[i].st_value});
  }
  llvm::sort(data_);
}

// Whether it is the function's own site, which is no NOP yet: the plan has not been carried out.
bool StackUses::is_of_mcount(const Elf::Rela &relocation) const {
  return is_mcount(object_.symbol_name(object_.symbols()[relocation.getSymbol(false)]));
}

JumpOut StackUses::target_of(const Elf::Rela &relocation) const {
  const uint32_t symbol = relocation.getSymbol(false);
  const uint32_t section = object_.section_of(symbol);
  if (!section)
    return {symbol, 0, 0};
  return {symbol, section,
          object_.symbols()[symbol].st_value + relocation.r_addend + reader_->jump_base()};
}

const FrameRows *StackUses::rows_of(const CodeRange &part) const {
  return find_at_entry(machine_, object_.contents(part.section), part,
                       [&](uint64_t offset) { return frames_.at(part.section, offset); });
}

bool StackUses::has_data(const CodeRange &part) const {
  auto first = llvm::lower_bound(data_, std::pair(part.section, part.start));
  return first != data_.end() && *first < std::pair(part.section, part.end);
}

bool StackUses::read(const CodeRange &part, const FrameRows &rows, uint64_t position,
                     llvm::ArrayRef<CodeRange> parts, StackUse &use) const {
  const Bytes code = object_.contents(part.section);
  const Disassembler &disassembler = reader_->disassembler();
  size_t row = 0;
  const auto &relocations = relocations_[part.section];
  auto relocation = llvm::partition_point(
      relocations, [&](const Elf::Rela *r) { return r->r_offset < part.start; });
  for (uint64_t at = part.start, bytes = 0; at < part.end; at += bytes, position += bytes) {
    llvm::MCInst inst;
    bytes = 0;
    const Bytes rest = code.slice(at, part.end - at);
    if (disassembler.decoder->getInstruction(inst, bytes, rest, at, llvm::nulls()) ==
            llvm::MCDisassembler::Fail ||
        !bytes)
      return false;
    while (row + 1 < rows.size() && rows[row + 1].from <= at)
      row++;
    while (relocation != relocations.end() && (*relocation)->r_offset < at)
      ++relocation;
    const bool is_relocated =
        relocation != relocations.end() && (*relocation)->r_offset < at + bytes;
    const llvm::MCInstrDesc &description = disassembler.describe(inst);
    Instruction instruction{inst, description, rest, rows[row], position, std::nullopt};
    if (description.isBranch()) {
      JumpOut target; // unknown: through a register or a table
      if (is_relocated)
        target = target_of(**relocation);
      else if (disassembler.analysis->evaluateBranch(inst, at, bytes, target.offset))
        target.section = part.section;
      if (target.section)
        instruction.target = position_of(parts, target.section, target.offset);
      if (!instruction.target)
        use.jumps.push_back(target);
    }
    reader_->look_at(instruction, use);
    use.only_jumps = use.only_jumps && (description.isBranch() || reader_->is_nop(instruction) ||
                                        (is_relocated && is_of_mcount(**relocation)));
  }
  return true;
}

StackUse StackUses::of(llvm::ArrayRef<CodeRange> parts) const {
  StackUse use;
  std::vector<const FrameRows *> rows;
  for (const CodeRange &part : parts) {
    const FrameRows *found = reader_ ? rows_of(part) : nullptr;
    if (!found || part.end > object_.contents(part.section).size() || part.start >= part.end ||
        has_data(part))
      return use;
    rows.push_back(found);
  }
  reader_->begin(rows);
  uint64_t position = 0;
  for (size_t i = 0; i < parts.size(); i++) {
    if (!read(parts[i], *rows[i], position, parts, use))
      return use;
    position += parts[i].end - parts[i].start;
  }
  reader_->end(use);
  use.only_jumps &= parts.size() == 1;
  use.is_known = true;
  return use;
}

} // namespace nophook::analysis
