// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of traceable functions, read from the module's own file when a filter needs them.
//
// Nothing is kept: a filter is set now and then, names of a million functions would be tens
// of megabytes in somebody else's process. The file is mapped, .symtab is walked (.dynsym in
// a stripped file), and unmapped again. Everything in it is checked before it is used.

#pragma once

#include "sites/module.h"

namespace nophook {

// Called for each function symbol that has a site; `name` is as in the symbol table.
using SymbolVisitor = void (*)(void *context, uint32_t record_index, const char *name);

// Visits the symbols of `module`. A function with two names is visited twice.
// Errors: ENOENT (file cannot be read), ENOEXEC (no usable symbol table).
// Not thread safe against forget_module: hold the runtime's lock.
Status visit_symbols(const Module *module, SymbolVisitor visitor, void *context);

} // namespace nophook
