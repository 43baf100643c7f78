// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes an object with its tables in it.
//
// Nothing in the object moves: sections keep their numbers, offsets and bytes, and new sections
// come behind them. So all references in the object stay right without being understood. There are
// two exceptions. A group that gets members is written again at the end. And where a section has no
// local symbol (a global symbol may end up in another file), a section symbol is added; locals
// stand in front of globals, so the global symbols are renumbered, in relocations, groups, and
// LLVM's table of address-significant symbols.
//
// Prototypes and types (include/nophook/prototype.h) are written as the plugin's are: each in a
// COMDAT group named by its content, so that a linker keeps one of all objects', and their texts
// in a section whose strings it merges.

#pragma once

#include "plan.h"

#include "analysis/attachment.h"
#include "prototypes/record_table.h"

namespace nophook::recordmcount {

using namespace prototypes;

// Returns the new object. Fails if the object has parts that cannot be renumbered.
llvm::Expected<std::vector<uint8_t>> edit(const Object &object, const Plan &plan,
                                          const std::vector<Attachment> &attachments,
                                          const RecordTable &records);

} // namespace nophook::recordmcount
