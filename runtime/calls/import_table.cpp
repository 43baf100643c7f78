// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the import records of a module and sorts them by name.

#include "calls/import_table.h"

#include "base/binary_search.h"
#include "base/sort.h"

#include <errno.h>
#include <string.h>

#include <nophook/library_calls.h>

namespace nophook {
// The name in a record, which may lie outside of the records' section.
const char *ImportTable::name_of(const nophook_import *import) const {
  const uint64_t at = reinterpret_cast<uint64_t>(&import->name) + (uint64_t)(int64_t)import->name;
  if (!import->name || at < memory_.start || at >= memory_.stop)
    return nullptr;
  const auto *text = reinterpret_cast<const char *>(at);
  return memchr(text, 0, memory_.stop - at) ? text : nullptr;
}

// Reads the loaded records. The strings of records that are only in the file are not copied: for
// such a module, calls have entry events alone.
Status ImportTable::read(Module *module) {
  rows_.clear();
  flags_.clear();
  bounds_ = module->prototypes;
  memory_ = {module->start, module->end};
  for (uint64_t at = bounds_.start; at < bounds_.stop && bounds_.stop - at >= 4;) {
    const uint32_t head = *reinterpret_cast<const uint32_t *>(at);
    const uint64_t bytes = NOPHOOK_HEAD_BYTES(head);
    if (bytes < 4 || bytes % 4 || bytes > bounds_.stop - at)
      break;
    if ((NOPHOOK_HEAD_RECORD(head) == NOPHOOK_RECORD_PROTOTYPE ||
         NOPHOOK_HEAD_RECORD(head) == NOPHOOK_RECORD_LINKED_PROTOTYPE) &&
        bytes >= sizeof(nophook_prototype)) {
      const auto *prototype = reinterpret_cast<const nophook_prototype *>(at);
      if (!flags_.push({prototype->id_low, prototype->flags}))
        return failure(ENOMEM, "no memory for the types of calls");
    }
    if (NOPHOOK_HEAD_RECORD(head) == NOPHOOK_RECORD_IMPORT && bytes >= sizeof(nophook_import)) {
      const auto *import = reinterpret_cast<const nophook_import *>(at);
      const char *name = name_of(import);
      if (name && !rows_.push({name, import}))
        return failure(ENOMEM, "no memory for the types of calls");
    }
    at += bytes;
  }
  sort(rows_.data(), rows_.size(),
       [](const Row &a, const Row &b) { return strcmp(a.name, b.name) < 0; });
  sort(flags_.data(), flags_.size(),
       [](const Flags &a, const Flags &b) { return a.id_low < b.id_low; });
  return {};
}

bool ImportTable::never_returns(uint32_t prototype) const {
  const uint64_t at =
      lower_bound(flags_.size(), [&](uint64_t i) { return flags_.begin()[i].id_low < prototype; });
  return at < flags_.size() && flags_.begin()[at].id_low == prototype &&
         flags_.begin()[at].flags & NOPHOOK_PROTOTYPE_NEVER_RETURNS;
}

uint64_t ImportTable::first_of(const char *name) const {
  return lower_bound(rows_.size(),
                     [&](uint64_t i) { return strcmp(rows_.begin()[i].name, name) < 0; });
}

uint32_t ImportTable::flags_of(const char *name) const {
  uint32_t flags = 0;
  for (uint64_t i = first_of(name); i < rows_.size() && !strcmp(rows_[i].name, name); i++)
    flags |= rows_[i].import->flags;
  return flags;
}

ImportKind ImportTable::kind_of(const char *name) const {
  nophook_known_import known = NOPHOOK_IMPORT_NOT_KNOWN;
  for (uint64_t i = first_of(name); i < rows_.size() && !strcmp(rows_[i].name, name); i++)
    nophook_know_import(&known, rows_[i].import);
  const bool returns = !known.prototype || !never_returns(known.prototype);
  const uint32_t call = nophook_library_call(name, &known, !returns);
  return {call, known.prototype};
}

} // namespace nophook
