// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of traceable functions, read from the module's own file when a filter needs them.
//
// Nothing is kept: a filter is set now and then, names of a million functions would be tens
// of megabytes in the traced process. The file is mapped, .symtab is walked (.dynsym in
// a stripped file), and unmapped again. Everything in it is checked before it is used.

#pragma once

#include "base/bytes.h"
#include "sites/module.h"

#include <link.h>

namespace nophook {

// Called for each function symbol with its name as in the symbol table and its place in memory;
// `bytes` is 0 where assembly has left the size out.
using SymbolVisitor = void (*)(void *context, const char *name, uint64_t address, uint64_t bytes);

// Visits the function symbols of `module`. A function with two names is visited twice.
// Errors: ENOENT (file cannot be read), ENOEXEC (no usable symbol table).
// Not thread safe against forget_module: hold the runtime's lock.
// `*is_full`, if it is asked for: the table is .symtab, so what is static is there too.
Status visit_symbols(const Module *module, SymbolVisitor visitor, void *context,
                     bool *is_full = nullptr);

// Visits all symbols that the module defines, functions and variables of each kind. Otherwise as
// visit_symbols().
using DefinitionVisitor = void (*)(void *context, const char *name, const ElfW(Sym) & symbol);
Status visit_definitions(const Module *module, bool *is_full, DefinitionVisitor visitor,
                         void *context);

// The address of the symbol `name`, as linked: a variable or a function. False: the module has
// none. As visit_symbols().
bool find_symbol(const Module *module, const char *name, uint64_t *address);

// The record whose site lies in the function of `bytes` bytes at `address`: the first one there,
// be it at its start, behind a landing pad, or (gcc's mcount) behind the prologue. With 0 bytes
// only a site at the very entry is known to be the function's. False: it has no site.
bool find_record(const Module *module, uint64_t address, uint64_t bytes, uint32_t *index);

// The record of the function that contains `address`. A function's entry and its site are found
// without names, other addresses by the symbol around them. False: it has no site, or the function
// is unknown. Hold the runtime's lock.
bool find_function(uint64_t address, Module **module, uint32_t *index);

// The name of the function with this id, as linked, the first that the symbol table has; empty
// where it has none or the library is gone. Takes no lock: for a callback of that function, which
// keeps the library from being unloaded.
using FunctionName = Text<256>;
FunctionName name_of_function(uint32_t id);

} // namespace nophook
