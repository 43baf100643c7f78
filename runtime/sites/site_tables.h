// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two tables of a module's sites, nophook/site.h.
//
// They come from a file and are not trusted: an entry counts only if it points at one of the NOPs
// we know inside an executable segment. Entries may point before `endbr64` (distances do, and some
// compilers record the function's start), may be doubled, and need not be sorted.

#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "sites/note.h"

namespace nophook {

// Whether one of the two tables has entries. `found` has a note.
bool has_site_tables(const dl_phdr_info *info, const NoteSearch &found);

// The sites as distances from the module's bias, ascending, each once; none if a table's bounds are
// damaged. Lines in the log report what is left out. Errors: ENOMEM.
Status read_site_tables(const dl_phdr_info *info, const NoteSearch &found, const Module *module,
                        Array<uint32_t> *offsets);

// Whether a call of the module's own mcount stands at `ip`. A table that is not to be trusted may
// lead to bytes that look like a call through memory where there is none.
bool is_static_call(const dl_phdr_info *info, const Module *module, uint64_t ip);

} // namespace nophook
