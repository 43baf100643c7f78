// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bodies of functions, found by name or address in the symbol tables of the files.

#pragma once

#include "base/status.h"
#include "livepatch/dispatch.h"
#include "sites/symbols.h"

namespace nophook {

// The module that a patch calls `name`; null: the program. A library's name is that of its file,
// with or without the part from ".so" on. Null: it is not loaded, or has no sites.
Module *module_of_object(const char *name);

// Whether a library of this name is loaded, with sites or without.
bool object_is_loaded(const char *name);

// The function `name` of the module: its record, and its body in the file. `position` chooses among
// functions of one name, in the order of the symbol table, from 1; 0: there is one. Errors: ENOENT
// (no such function, or no symbol table), EINVAL (several; no site at its entry; no size).
Status find_original(Module *module, const char *name, unsigned long position, uint32_t *index,
                     Version *version);

// A body that the compiler has made of the function for some of its callers, and that they enter
// directly: `name.constprop.0`. Empty: there is none.
FunctionName find_clone(const Module *module, const char *name);

// The new body at `function`, in whichever object. Errors: ENOENT: no symbol shows its size.
Status find_replacement(uint64_t function, Version *version);

// The file that `address` lies in, as the loader names it; empty if there is none, or the program's
// own.
using ObjectPath = Text<1024>;
bool find_object(uint64_t address, ObjectPath *path, uint64_t *bias);

// Adds all code of that file. False: there is none, or no memory.
bool add_code_of_object(uint64_t address, CodeRanges &ranges);

} // namespace nophook
