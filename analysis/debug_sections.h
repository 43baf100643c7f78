// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The debug info of an object, relocated, as LLVM's reader takes it.
//
// LLVM can read and relocate an object by itself; it then looks up a symbol for each of some
// thousand relocations and takes ten times as long as everything else here. So LLVM only gets the
// sections that signatures are made of, already relocated. In an object all sections are at
// address 0, so an address is section << 32 | offset.

#pragma once

#include "analysis/object.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

namespace nophook::analysis {

using DebugSections = llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>>;

// The sections; empty if there is no debug info, or if it is damaged.
DebugSections debug_sections(const Object &object);

struct CodeAddress {
  uint32_t section;
  uint64_t offset;
};
inline CodeAddress code_address(uint64_t address) {
  return {uint32_t(address >> 32), address & 0xffffffff};
}

} // namespace nophook::analysis
