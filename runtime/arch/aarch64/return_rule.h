// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place of a function's return address while one of its instructions runs. A caller leaves it
// in x30. A function that calls others stores it first; one that calls none, such as a wrapper of a
// system call, may have it in x30 alone, where no other thread can see it. The unwind table of its
// file shows which of the two holds (.eh_frame: LSB Core 5.0, 10.6; DWARF 5, 6.4). Whatever is
// unusual there counts as "in x30".
//
// Tables are read by `read(address, to, bytes)`, which says how many bytes there are: a library may
// go in the meantime. Pure but for that; tested on every host against llvm-dwarfdump.

#pragma once

#include <stdint.h>

namespace nophook {

template <class Read> class ReturnRule {
public:
  explicit ReturnRule(Read read) : read_(read) {}

  // Whether the function that has the instruction in front of `pc` has stored its return address
  // there. `header`: the address of its file's .eh_frame_hdr.
  bool is_stored(uint64_t header, uint64_t pc) {
    pc_ = pc - 1;
    const uint64_t fde = find_fde(header);
    if (!fde || !load(fde, &fde_))
      return false;
    const uint64_t cie = fde + 4 - word_at(fde_.bytes + 4);
    if (!load(cie, &cie_))
      return false;
    rule_ = first_ = kInRegister;
    return read_cie() && run_fde(fde) && rule_ == kStored;
  }

private:
  enum Rule : uint8_t { kInRegister, kStored, kElsewhere };
  static constexpr uint32_t kMostBytes = 1024, kMostRemembered = 8, kReturnAddress = 30;

  // An entry of the table: its first bytes. The bytes behind them are not read.
  struct Entry {
    uint8_t bytes[kMostBytes];
    uint32_t count;
  };

  static uint32_t word_at(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
  }

  bool load(uint64_t at, Entry *entry) {
    uint8_t head[4];
    if (read_(at, head, sizeof head) != sizeof head)
      return false;
    const uint64_t bytes = (uint64_t)word_at(head) + sizeof head;
    if (bytes < 16 || bytes > kMostBytes) // 2^32 - 1: a long entry follows
      return false;
    entry->count = (uint32_t)bytes;
    return read_(at, entry->bytes, bytes) == (long)bytes;
  }

  // The table of the header is sorted: functions' addresses, and those of their entries, both from
  // the header on. 0: the table has none for the function.
  uint64_t find_fde(uint64_t header) {
    constexpr uint8_t kVersion = 1, kPcWord = 0x1b, kWord = 0x03, kHeaderWord = 0x3b;
    uint8_t head[12];
    if (read_(header, head, sizeof head) != sizeof head || head[0] != kVersion ||
        head[1] != kPcWord || head[2] != kWord || head[3] != kHeaderWord)
      return 0;
    uint32_t from = 0, to = word_at(head + 8);
    uint64_t found = 0;
    while (from < to) {
      const uint32_t middle = from + (to - from) / 2;
      uint8_t row[8];
      if (read_(header + sizeof head + uint64_t{middle} * sizeof row, row, sizeof row) !=
          sizeof row)
        return 0;
      if (pc_ < header + (uint64_t)(int32_t)word_at(row)) {
        to = middle;
      } else {
        found = header + (uint64_t)(int32_t)word_at(row + 4);
        from = middle + 1;
      }
    }
    return found;
  }

  // A reader from at_ up to end_; beyond it, the value read is 0 and ok_ becomes false.
  void begin(const Entry &entry, uint32_t at) {
    at_ = entry.bytes + at;
    end_ = entry.bytes + entry.count;
    ok_ = true;
  }
  uint8_t byte() {
    ok_ = ok_ && at_ < end_;
    return ok_ ? *at_++ : 0;
  }
  uint32_t number(unsigned bytes) {
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
      value |= (uint32_t)byte() << 8 * i;
    return value;
  }
  uint64_t leb() { // the sign of a signed number does not matter, only its end
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const uint8_t next = byte();
      value |= shift < 64 ? (uint64_t)(next & 0x7f) << shift : 0;
      if (!(next & 0x80))
        return value;
    }
  }
  void skip(uint64_t bytes) {
    ok_ = ok_ && bytes <= (uint64_t)(end_ - at_);
    at_ += ok_ ? bytes : 0;
  }

  // The part that all functions of a compiler have in common. Signal trampolines lack it.
  bool read_cie() {
    begin(cie_, 4);
    if (number(4) != 0)
      return false;
    const uint8_t version = byte();
    if (version != 1 && version != 3)
      return false;
    const uint8_t *const augmentation = at_;
    while (byte()) {
    }
    code_step_ = leb();
    leb(); // the step of data
    if ((version == 1 ? byte() : leb()) != kReturnAddress)
      return false;
    has_length_ = *augmentation == 'z';
    if (!ok_ || (*augmentation && !has_length_))
      return false;
    const uint64_t length = has_length_ ? leb() : 0;
    if (!ok_ || length > (uint64_t)(end_ - at_))
      return false;
    const uint8_t *const instructions = at_ + length;
    pointer_ = kAbsolute;
    for (const uint8_t *letter = augmentation + has_length_; ok_ && *letter; letter++)
      if (*letter == 'R')
        pointer_ = byte();
      else if (*letter == 'L')
        byte();
      else if (*letter == 'P')
        skip(pointer_bytes(byte()));
      else if (*letter != 'B' && *letter != 'G') // keys, and tagged memory
        return false;
    if (!ok_)
      return false;
    at_ = instructions;
    row_ = 0;
    pc_begin_ = ~uint64_t{0}; // all instructions are in front of the first row
    const bool works = run();
    first_ = rule_;
    return works;
  }

  static constexpr uint8_t kAbsolute = 0x00;
  static uint64_t pointer_bytes(uint8_t encoding) {
    switch (encoding & 0x0f) {
    case 0x02:
    case 0x0a:
      return 2;
    case 0x03:
    case 0x0b:
      return 4;
    default:
      return 8;
    }
  }

  bool run_fde(uint64_t fde) {
    begin(fde_, 8);
    if (pointer_ != 0x1b) // relative to itself, 32 bits
      return false;
    pc_begin_ = fde + 8 + (uint64_t)(int32_t)number(4);
    const uint32_t range = number(4);
    if (pc_ < pc_begin_ || pc_ - pc_begin_ >= range)
      return false;
    if (has_length_)
      skip(leb());
    row_ = 0;
    return run();
  }

  bool advance(uint64_t steps) {
    row_ += steps * code_step_;
    return pc_begin_ == ~uint64_t{0} || row_ <= pc_ - pc_begin_;
  }
  void set(uint64_t reg, Rule rule) {
    if (reg == kReturnAddress)
      rule_ = rule;
  }

  // Runs the instructions up to the row of pc_. False: something is damaged or unknown.
  bool run() {
    Rule remembered[kMostRemembered];
    uint32_t count = 0;
    while (ok_ && at_ < end_) {
      const uint8_t op = byte(), low = op & 0x3f;
      switch (op & 0xc0) {
      case 0x40: // advance_loc
        if (!advance(low))
          return ok_;
        continue;
      case 0x80: // offset
        leb();
        set(low, kStored);
        continue;
      case 0xc0: // restore
        set(low, first_);
        continue;
      }
      uint64_t reg;
      switch (op) {
      case 0x00: // nop
      case 0x2d: // AARCH64_negate_ra_state
        break;
      case 0x02: // advance_loc1, 2, 4
      case 0x03:
      case 0x04:
        if (!advance(number(op == 0x04 ? 4 : op - 1u)))
          return ok_;
        break;
      case 0x05: // offset_extended, and with a signed offset
      case 0x11:
        reg = leb();
        leb();
        set(reg, kStored);
        break;
      case 0x06: // restore_extended
        set(leb(), first_);
        break;
      case 0x07: // undefined
      case 0x08: // same_value
        set(leb(), kInRegister);
        break;
      case 0x09: // register
      case 0x14: // val_offset, and with a signed offset
      case 0x15:
        reg = leb();
        leb();
        set(reg, kElsewhere);
        break;
      case 0x0a: // remember_state
        if (count == kMostRemembered)
          return false;
        remembered[count++] = rule_;
        break;
      case 0x0b: // restore_state
        if (!count)
          return false;
        rule_ = remembered[--count];
        break;
      case 0x0c: // def_cfa, and with a signed offset
      case 0x12:
        leb();
        leb();
        break;
      case 0x0d: // def_cfa_register, def_cfa_offset, with a signed one, GNU_args_size
      case 0x0e:
      case 0x13:
      case 0x2e:
        leb();
        break;
      case 0x0f: // def_cfa_expression
        skip(leb());
        break;
      case 0x10: // expression, val_expression
      case 0x16:
        set(leb(), kElsewhere);
        skip(leb());
        break;
      default:
        return false;
      }
    }
    return ok_;
  }

  Read read_;
  uint64_t pc_ = 0, pc_begin_ = 0, code_step_ = 0, row_ = 0;
  const uint8_t *at_ = nullptr, *end_ = nullptr;
  bool ok_ = false, has_length_ = false;
  uint8_t pointer_ = 0;
  Rule rule_ = kInRegister, first_ = kInRegister;
  Entry fde_, cie_;
};

} // namespace nophook
