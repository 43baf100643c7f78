// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redirection: the old function's site is a jump to the new function. No callback, no table: a
// call costs one jump more.
//
// The old record is retired. An ops that selects the old function gets the new one, under either
// name, if that can be traced. Threads that are in the old body finish there. All under the
// runtime's lock.

#pragma once

#include "ops/hash.h"
#include "ops/ops.h"

namespace nophook {

constexpr uint32_t kNoId = ~0u;

struct Redirect {
  Redirect *next;
  Module *module; // module of the old function
  uint32_t old_id;
  uint32_t new_id;  // id of the new function; kNoId: it has no site
  uint64_t target;  // entry of the new function
  uint64_t jump;    // target of the site's jump: the entry, or a stub in reach that leads there
  bool is_starting; // whether its site is not a jump yet
  bool is_ending;   // whether its site is no jump any more
  bool is_patch;    // whether it is a live patch's: `jump` is its stub, which decides the target
};

// Whether there are redirections.
bool any_redirects();
const Redirect *redirect_of(uint32_t id);
const Redirect *redirect_at_site(uint32_t id);

// Puts the new functions of selected old ones into `selected`. Either name is enough for a filter,
// and for a notrace (which may be null). The old ones stay: a thread may be on its way from a site
// to their callbacks, and will run the old body.
void follow_redirects(FtraceHash *selected, const FtraceHash *notrace);

// Redirects a function. Errors: EINVAL (no site at the entry of `old_function`; the new one is
// redirected itself, or is the same), EBUSY (redirected already; a callback changes where it
// continues), ENOMEM, and those of update_sites.
Status add_redirect(uint64_t old_function, uint64_t new_function);
// Ends a redirection. Errors: ENOENT, and those of update_sites.
Status remove_redirect(uint64_t old_function);

// Redirects a function for a live patch. The site jumps to `stub`, which leads behind the site
// until this has returned. `new_function`: the one that tracers follow. Errors: EBUSY, ENOMEM,
// those of update_sites.
Status add_patched(Module *module, uint32_t index, uint64_t stub, uint64_t new_function);
// Makes tracers follow another function. Errors: those of update_sites.
Status follow_patched(uint32_t old_id, uint64_t new_function);
// Whether a site leads to a stub of a live patch.
bool any_patched();
// Ends it: the stub leads behind the site again. Errors: those of update_sites; then the site
// stays.
Status remove_patched(uint32_t old_id);

// Ends redirections from and to a module that is unloaded.
void end_redirects(const Module *module);

} // namespace nophook
