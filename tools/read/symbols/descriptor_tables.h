// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place of a file's descriptors: in memory, where its note points, or in sections that are not
// loaded (`descriptors=file`), in the file itself or in its debug file.

#pragma once

#include "read/symbols/elf_image.h"

#include <memory>

namespace nophook {

// Some bytes and the address that distances in them count from. Tables that are not loaded count
// from 0 each, so an address alone does not identify its table.
struct TableBytes {
  uint64_t address = 0;
  std::span<const uint8_t> bytes;
};

struct DescriptorTables {
  TableBytes args;       // nophook/args.h
  TableBytes prototypes; // nophook/prototype.h
  TableBytes strings;    // names of the prototypes; empty: they are in the loaded segments
  std::string damage;    // damage of their bounds, or empty
  const ElfImage *image = nullptr;       // file that they lie in
  std::shared_ptr<const ElfImage> debug; // the debug file, if they lie there

  // The text of a name, up to the end of its table; nothing if it is not in there.
  std::optional<std::string_view> text_at(uint64_t address) const;
};

// The result points into `image`.
DescriptorTables find_descriptors(const ElfImage &image);

} // namespace nophook
