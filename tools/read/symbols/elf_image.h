// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An executable or shared library on disk, by program headers: the contents that it has in memory
// when it is loaded. Section headers may be stripped; they are needed only for symbols
// (read/symbols/symbol_table.h).
//
// No address or size in the file can be trusted: all access goes through at(), which returns
// nothing for a place outside of the file.

#pragma once

#include "foundation/file.h"

#include <llvm/Object/ELF.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nophook {

using ElfFile = llvm::object::ELFFile<llvm::object::ELF64LE>;

class ElfImage {
public:
  // Opens a file. Fails if it is no 64-bit little-endian ELF file, or its program headers are
  // damaged.
  static Result<ElfImage> open(const std::string &path);

  const std::string &path() const { return file_.path(); }
  const ElfFile &elf() const { return *elf_; }
  uint16_t machine() const { return elf_->getHeader().e_machine; }
  uint16_t type() const { return elf_->getHeader().e_type; }
  llvm::ArrayRef<ElfFile::Elf_Phdr> segments() const { return segments_; }

  // `bytes` bytes of the file that are loaded at `address`; empty if they are not all there.
  std::span<const uint8_t> at(uint64_t address, uint64_t bytes) const;

  // All bytes of the file from `address` to the end of its segment.
  std::span<const uint8_t> from(uint64_t address) const;

  // Whether [address, address + bytes) lies in one loaded segment with all of `flags` (PF_*).
  bool in_segment(uint64_t address, uint64_t bytes, uint32_t flags) const;

  // The first note of this name and type, as (address of its descriptor, descriptor).
  struct Note {
    uint64_t address;
    std::span<const uint8_t> descriptor;
  };
  std::optional<Note> note(std::string_view name, uint32_t type) const;

  std::span<const uint8_t> build_id() const;

  bool has_segment(uint32_t type) const;
  std::vector<ElfFile::Elf_Dyn> dynamic() const;               // empty for a static file
  std::vector<std::string> dynamic_strings(int64_t tag) const; // DT_NEEDED, DT_RUNPATH, ...

  // The bytes of the table that a DT_ pair (address, size) gives; empty if there is none.
  std::span<const uint8_t> dynamic_table(int64_t address_tag, int64_t size_tag) const;

private:
  MappedFile file_;
  std::optional<ElfFile> elf_;
  llvm::ArrayRef<ElfFile::Elf_Phdr> segments_;
};

// Whether a file begins like an ELF file.
bool is_elf(std::span<const uint8_t> bytes);

// Takes the message of an LLVM error.
std::string message_of(llvm::Error error);

} // namespace nophook
