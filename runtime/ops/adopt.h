// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules that come and go: how they reach the filters of all ops, and leave them. Under the
// runtime's lock.

#pragma once

#include "base/status.h"
#include "sites/module.h"

namespace nophook {

// Finds modules that have been loaded since the last call. They get their ids. Nothing else
// happens to them until they are adopted: then they are compared with all filters, and the chosen
// sites are enabled. In between they can be listed for readers of a buffer. Errors: ENOMEM;
// adopting: those of update_sites, too.
Status find_modules();
// Finds modules only if none is known. A module that is loaded later registers itself.
Status find_first_modules();
Status adopt_found();
Status adopt_modules(); // adopts modules that were found
// The number of modules found so far, unloaded ones included.
uint32_t found_modules();

// Takes a module's functions out of all filters; no callback is called for them. Its sites stay as
// they are: the text goes away.
void release_module(Module *module);
// No callback is called for the module's functions any more.
void drop_calls(const Module *module);

} // namespace nophook
