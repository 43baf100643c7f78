// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of other modules that a file calls through its GOT, read from disk.
//
// Symbols alone do not show them: an undefined function may be called, or only have its address
// in a table of the program's data. The relocations decide. A slot of the procedure linkage
// table (JUMP_SLOT) is for calls. An entry of the GOT (GLOB_DAT) is for calls by -fno-plt, and
// for every use of the function's address. Data has entries there, too: environ, stderr,
// thread-local variables; the symbol's type leaves these out.
//
// The symbol's version gives the library: DT_VERNEED has a file name for each. A library
// without versions leaves no trace of its name at its symbols; the loader takes the first one in
// its order that has the name, which the file does not know.
//
// Source: the System V gABI, chapter 5; the x86-64 psABI, 5.2; the ELF ABI for AArch64.

#pragma once

#include "read/symbols/elf_image.h"

namespace nophook {

struct Import {
  uint64_t slot = 0;   // address of the GOT entry
  std::string name;    // name of the symbol
  std::string library; // the file name in DT_VERNEED; empty without a version
  std::string version; // name of the version, GLIBC_2.34, or empty
  bool is_plt = false; // JUMP_SLOT: for calls alone
  bool is_weak = false;
  bool at_load = false;   // whether the loader resolves it before the program runs
  bool read_only = false; // whether no store is possible afterwards: RELRO
};

struct Imports {
  std::vector<Import> functions; // ascending by slot, each once
  std::string damage;            // damage of the tables, with its place; or empty
};

// Reads the imports. A static file has none.
Imports read_imports(const ElfImage &image);

// A text such as "malloc [libc.so.6]"; the name alone if the library is unknown. `name`: the shown
// form of the name.
std::string import_name(const Import &import, std::string_view name);

// A text such as "PLT, resolved by the first call", "GOT, resolved at load, read-only"
std::string slot_text(const Import &import);

} // namespace nophook
