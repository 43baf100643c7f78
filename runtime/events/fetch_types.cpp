// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of fetch types, with the kernel's names.

#include "events/fetch.h"

namespace nophook {

namespace {

constexpr ValueType kTypes[] = {
    {"u8", "u8", "%u", 1, false, false},
    {"u16", "u16", "%u", 2, false, false},
    {"u32", "u32", "%u", 4, false, false},
    {"u64", "u64", "%Lu", 8, false, false},
    {"s8", "s8", "%d", 1, true, false},
    {"s16", "s16", "%d", 2, true, false},
    {"s32", "s32", "%d", 4, true, false},
    {"s64", "s64", "%Ld", 8, true, false},
    {"x8", "u8", "0x%x", 1, false, false},
    {"x16", "u16", "0x%x", 2, false, false},
    {"x32", "u32", "0x%x", 4, false, false},
    {"x64", "u64", "0x%Lx", 8, false, false},
    {"char", "char", "'%c'", 1, true, false},
    {"symbol", "u64", "%pS", 8, false, false},
    {"symstr", "u64", "%pS", 8, false, false}, // the reader finds the name
    {"string", "__data_loc char[]", "\\\"%s\\\"", 4, false, true},
    {"ustring", "__data_loc char[]", "\\\"%s\\\"", 4, false, true},
};

} // namespace

const ValueType *find_type(const char *name, uint64_t bytes) {
  for (const ValueType &type : kTypes)
    if (is_text(name, bytes, type.name))
      return &type;
  return nullptr;
}

} // namespace nophook
