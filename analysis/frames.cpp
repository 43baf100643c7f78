// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/frames.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/DataExtractor.h"

namespace nophook::analysis {
namespace {

namespace dwarf = llvm::dwarf;
using Cursor = llvm::DataExtractor::Cursor;

// The facts in a CIE that its FDEs share.
struct Common {
  uint64_t code_alignment;
  int64_t data_alignment;
  uint8_t pointer_encoding = dwarf::DW_EH_PE_absptr;
  bool has_augmentation = false;
  uint64_t program, end; // first and last offset of its instructions
};

struct Record {
  uint64_t id_at; // offset of the field that distinguishes CIE and FDE
  uint64_t id;
  uint64_t body, end;
};

// The bytes of a pointer in a given encoding; nothing for encodings that no object has here.
std::optional<unsigned> pointer_bytes(uint8_t encoding) {
  switch (encoding & 0x0f) {
  case dwarf::DW_EH_PE_absptr:
  case dwarf::DW_EH_PE_udata8:
  case dwarf::DW_EH_PE_sdata8:
    return 8;
  case dwarf::DW_EH_PE_udata4:
  case dwarf::DW_EH_PE_sdata4:
    return 4;
  default:
    return std::nullopt;
  }
}

std::optional<Record> read_record(const llvm::DataExtractor &data, uint64_t at, uint64_t limit) {
  if (limit - at < 8)
    return std::nullopt;
  Cursor cursor(at);
  const uint64_t length = data.getU32(cursor);
  Record record;
  record.id_at = cursor.tell();
  record.id = data.getU32(cursor);
  record.body = cursor.tell();
  record.end = record.id_at + length;
  llvm::consumeError(cursor.takeError());
  if (length == 0 || length >= 0xfffffff0 || record.end > limit || record.end < record.body)
    return std::nullopt; // the terminator, a 64-bit record, damage
  return record;
}

std::optional<Common> read_common(const llvm::DataExtractor &data, const Record &record) {
  Cursor cursor(record.body);
  Common common;
  const uint8_t version = data.getU8(cursor);
  const llvm::StringRef augmentation = data.getCStrRef(cursor);
  if (version == 4)
    data.getU16(cursor); // sizes of address and segment
  common.code_alignment = data.getULEB128(cursor);
  common.data_alignment = data.getSLEB128(cursor);
  version == 1 ? data.getU8(cursor) : data.getULEB128(cursor); // the return address
  common.program = cursor.tell();
  bool is_known = augmentation.empty();
  if (augmentation.starts_with("z")) {
    is_known = common.has_augmentation = true;
    const uint64_t bytes = data.getULEB128(cursor);
    common.program = cursor.tell() + bytes;
    for (char letter : augmentation.drop_front()) {
      if (letter == 'R') {
        common.pointer_encoding = data.getU8(cursor);
      } else if (letter == 'L') {
        data.getU8(cursor);
      } else if (letter == 'P') {
        const auto bytes_of_it = pointer_bytes(data.getU8(cursor));
        is_known &= bytes_of_it.has_value();
        data.skip(cursor, bytes_of_it.value_or(0));
      }
    }
  }
  common.end = record.end;
  const bool is_whole = !llvm::errorToBool(cursor.takeError());
  if (!is_whole || !is_known || common.program > record.end)
    return std::nullopt;
  return common;
}

// Runs instructions and records the CFA's rule, row by row.
class FrameProgram {
public:
  FrameProgram(const Machine &machine, const llvm::DataExtractor &data, const Common &common,
               uint64_t start)
      : data_(data), common_(common), machine_(machine), row_{start, false, 0, 0, {}, {}} {}

  // False: an instruction is not understood.
  bool run(uint64_t at, uint64_t end);
  void keep_initial() { rows_.push_back(row_); }
  FrameRows take() { return std::move(rows_); }

private:
  bool step(Cursor &cursor);
  void advance(uint64_t units) {
    row_.from += units * common_.code_alignment;
    moved_ = true;
  }
  void changed() {
    if (!moved_ && !rows_.empty())
      rows_.back() = row_;
    else
      rows_.push_back(row_);
    moved_ = false;
  }
  void cfa(bool is_simple, uint32_t number, int64_t offset) {
    row_.is_simple = is_simple;
    row_.cfa_register = number;
    row_.cfa_offset = offset;
    changed();
  }
  void saved(uint64_t number, std::optional<int64_t> place) {
    if (number != machine_.saved_frame && number != machine_.saved_link)
      return;
    (number == machine_.saved_frame ? row_.frame_at : row_.link_at) = place;
    changed();
  }

  const llvm::DataExtractor &data_;
  const Common &common_;
  const Machine &machine_;
  FrameRow row_;
  bool moved_ = false;
  FrameRows rows_;
  std::vector<FrameRow> states_;
};

bool FrameProgram::step(Cursor &cursor) {
  const uint8_t opcode = data_.getU8(cursor);
  switch (opcode & 0xc0) {
  case dwarf::DW_CFA_advance_loc:
    advance(opcode & 0x3f);
    return true;
  case dwarf::DW_CFA_offset:
    saved(opcode & 0x3f, data_.getULEB128(cursor) * common_.data_alignment);
    return true;
  case dwarf::DW_CFA_restore: // without an effect: no CIE has a rule for it
    saved(opcode & 0x3f, std::nullopt);
    return true;
  }
  switch (opcode) {
  case dwarf::DW_CFA_nop:
  case dwarf::DW_CFA_GNU_window_save: // AArch64: the return address is signed
    return true;
  case dwarf::DW_CFA_advance_loc1:
    advance(data_.getU8(cursor));
    return true;
  case dwarf::DW_CFA_advance_loc2:
    advance(data_.getU16(cursor));
    return true;
  case dwarf::DW_CFA_advance_loc4:
    advance(data_.getU32(cursor));
    return true;
  case dwarf::DW_CFA_restore_extended:
  case dwarf::DW_CFA_undefined:
  case dwarf::DW_CFA_same_value:
    saved(data_.getULEB128(cursor), std::nullopt);
    return true;
  case dwarf::DW_CFA_GNU_args_size:
    data_.getULEB128(cursor);
    return true;
  case dwarf::DW_CFA_offset_extended: {
    const uint64_t number = data_.getULEB128(cursor);
    saved(number, data_.getULEB128(cursor) * common_.data_alignment);
    return true;
  }
  case dwarf::DW_CFA_offset_extended_sf: {
    const uint64_t number = data_.getULEB128(cursor);
    saved(number, data_.getSLEB128(cursor) * common_.data_alignment);
    return true;
  }
  case dwarf::DW_CFA_register:
  case dwarf::DW_CFA_val_offset:
  case dwarf::DW_CFA_val_offset_sf: // a number of either sign is skipped alike
    data_.getULEB128(cursor);
    data_.getULEB128(cursor);
    return true;
  case dwarf::DW_CFA_expression:
  case dwarf::DW_CFA_val_expression:
    data_.getULEB128(cursor);
    data_.skip(cursor, data_.getULEB128(cursor));
    return true;
  case dwarf::DW_CFA_remember_state:
    states_.push_back(row_);
    return states_.size() < 64;
  case dwarf::DW_CFA_restore_state: {
    if (states_.empty())
      return false;
    const uint64_t from = row_.from;
    row_ = states_.back();
    row_.from = from;
    states_.pop_back();
    changed();
    return true;
  }
  case dwarf::DW_CFA_def_cfa: {
    const uint32_t number = data_.getULEB128(cursor);
    cfa(true, number, data_.getULEB128(cursor));
    return true;
  }
  case dwarf::DW_CFA_def_cfa_sf: {
    const uint32_t number = data_.getULEB128(cursor);
    cfa(true, number, data_.getSLEB128(cursor) * common_.data_alignment);
    return true;
  }
  case dwarf::DW_CFA_def_cfa_register:
    cfa(row_.is_simple, data_.getULEB128(cursor), row_.cfa_offset);
    return true;
  case dwarf::DW_CFA_def_cfa_offset:
    cfa(row_.is_simple, row_.cfa_register, data_.getULEB128(cursor));
    return true;
  case dwarf::DW_CFA_def_cfa_offset_sf:
    cfa(row_.is_simple, row_.cfa_register, data_.getSLEB128(cursor) * common_.data_alignment);
    return true;
  case dwarf::DW_CFA_def_cfa_expression:
    data_.skip(cursor, data_.getULEB128(cursor));
    cfa(false, 0, 0);
    return true;
  default:
    return false;
  }
}

bool FrameProgram::run(uint64_t at, uint64_t end) {
  Cursor cursor(at);
  bool is_known = true;
  while (is_known && cursor && cursor.tell() < end)
    is_known = step(cursor);
  const bool is_inside = cursor.tell() <= end;
  return !llvm::errorToBool(cursor.takeError()) && is_known && is_inside;
}

} // namespace

Frames::Frames(const Object &object) : object_(object) {
  for (uint32_t i = 1; i < object.sections().size(); i++)
    if (object.name(i) == ".eh_frame" || object.name(i) == ".debug_frame")
      read(i, object.name(i) == ".eh_frame");
}

const FrameRows *Frames::at(uint32_t section, uint64_t offset) const {
  auto found = rows_.find({section, offset});
  return found == rows_.end() ? nullptr : &found->second;
}

void Frames::read(uint32_t section, bool is_eh) {
  // In an object all sections are at 0: only a frame's relocation shows its code.
  std::map<uint64_t, std::pair<uint32_t, uint64_t>> code;
  std::map<uint64_t, uint64_t> common_at; // .debug_frame: by offset of the relocated CIE pointer
  for (uint32_t i = 1; i < object_.sections().size(); i++) {
    if (object_.sections()[i].sh_type != llvm::ELF::SHT_RELA ||
        object_.sections()[i].sh_info != section)
      continue;
    for (const Elf::Rela &relocation : object_.relocations(i)) {
      const uint32_t symbol = relocation.getSymbol(false);
      const uint32_t target = object_.section_of(symbol);
      const uint64_t offset = target ? object_.symbols()[symbol].st_value + relocation.r_addend : 0;
      if (target == section)
        common_at[relocation.r_offset] = offset;
      else if (target)
        code[relocation.r_offset] = {target, offset};
    }
  }
  const Bytes bytes = object_.contents(section);
  const llvm::DataExtractor data(bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  for (uint64_t at = 0; at < bytes.size();) {
    const std::optional<Record> record = read_record(data, at, bytes.size());
    if (!record)
      break;
    at = record->end;
    const auto place = code.find(record->body);
    if (record->id == (is_eh ? 0 : 0xffffffff) || place == code.end())
      continue;
    const auto relocated = common_at.find(record->id_at);
    const uint64_t common_offset = relocated != common_at.end() ? relocated->second
                                   : is_eh                      ? record->id_at - record->id
                                                                : record->id;
    if (common_offset >= bytes.size())
      continue;
    const auto common_record = read_record(data, common_offset, bytes.size());
    const auto common = common_record ? read_common(data, *common_record) : std::nullopt;
    const auto width = common ? pointer_bytes(common->pointer_encoding) : std::nullopt;
    if (!width)
      continue;
    Cursor cursor(record->body + 2 * *width); // first address and size of the code
    if (common->has_augmentation)
      data.skip(cursor, data.getULEB128(cursor));
    const uint64_t program = cursor.tell();
    if (llvm::errorToBool(cursor.takeError()) || program > record->end)
      continue;
    FrameProgram frame(object_.machine(), data, *common, place->second.second);
    if (!frame.run(common->program, common->end))
      continue;
    frame.keep_initial();
    if (frame.run(program, record->end))
      rows_.emplace(place->second, frame.take());
  }
}

} // namespace nophook::analysis
