// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The traceable functions of a file: include/nophook/site.h and args.h read from disk.
//
// One table holds distances, which need no loader. The other holds absolute addresses. In a
// position-independent file their bytes on disk may be anything until the loader has relocated
// them, so its relocations are applied here: RELA and RELR, relative and against symbols, as
// linkers make them for such a table.

#pragma once

#include "read/symbols/descriptor_tables.h"

#include <nophook/args.h>

namespace nophook {

struct Site {
  uint64_t address = 0; // address of the NOP
  uint64_t start = 0;   // start of the function, if a descriptor has it; else the site
  uint8_t how = NOPHOOK_CALL_ENTRY_ONLY;         // enum nophook_call
  uint8_t reason = NOPHOOK_REASON_NO_DESCRIPTOR; // enum nophook_call_reason
  uint32_t stack_bytes = 0;
  uint32_t prototype = 0; // half an id, for Prototypes::find; 0: none
};

struct SiteTable {
  bool has_note = false;
  std::vector<Site> sites;  // ascending address, each once
  uint64_t bad_entries = 0; // number of entries that point at no site
  std::string damage;       // other damage, with its place; or empty
};

// Reads the sites. A file without a note, or with an empty table, is no error: it has no sites.
SiteTable read_sites(const ElfImage &image, const DescriptorTables &descriptors);
inline SiteTable read_sites(const ElfImage &image) {
  return read_sites(image, find_descriptors(image));
}

// Whether there is a table that is not empty; a cheap test.
bool has_sites(const ElfImage &image);

// The reason why a site is entry only, such as "variadic"
const char *reason_text(const Site &site);

// A text such as "call-through", "call-through, copies 16 bytes", "entry only: variadic"
std::string how_text(const Site &site);

} // namespace nophook
