// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The notes of a loaded object: nophook/site.h's note and the build id, and the tables to which the
// note leads.
//
// A note comes from a file and is not trusted: its addresses are checked against the program
// headers.

#pragma once

#include "sites/module.h"

#include <link.h>

namespace nophook {

struct NoteSearch {
  const nophook_note *note; // the note, or null
  uint32_t note_bytes;
  const uint8_t *build_id;
  uint32_t build_id_bytes;
};

NoteSearch search_notes(const dl_phdr_info *info);

// The rights of the object's text beyond those in its program headers (Arch::rights_by_property).
int rights_by_properties(const dl_phdr_info *info);

// The address that a note's field points to; 0: none. The sum wraps for garbage; is_table() catches
// it.
inline uint64_t points_to(const int64_t &field) {
  return field ? reinterpret_cast<uint64_t>(&field) + (uint64_t)field : 0;
}

// Whether [start, stop) is a table of entries of `entry` bytes in one PT_LOAD segment.
bool is_table(const dl_phdr_info *info, uint64_t start, uint64_t stop, uint64_t entry,
              uint64_t align);

// The bounds of the object's prototypes; empty, and null, without a table.
TableBounds find_prototypes(const dl_phdr_info *info, const NoteSearch &found);
nophook_static_calls *find_static_calls(const dl_phdr_info *info, const NoteSearch &found);
nophook_life *find_life(const dl_phdr_info *info, const NoteSearch &found);

} // namespace nophook
