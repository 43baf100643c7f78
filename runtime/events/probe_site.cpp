// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks up the names in a probe's text in the symbol tables of modules.

#include "events/probe_site.h"

#include "ops/adopt.h"
#include "ops/filter.h"
#include "sites/symbols.h"

#include <nophook/args.h>

#include <errno.h>

namespace nophook {
namespace {

// Finds the prototype of the function whose site is record `index`; null: it has none.
Status find_prototype(Module *module, uint32_t index, ProbeSite *site) {
  NOPHOOK_TRY(site->table.read(module));
  ArgsRange range = module_args(module);
  for (const struct nophook_args *a = range.begin; a != range.end; a++) {
    uint64_t pc = args_pc(range, a);
    if (NOPHOOK_ARGS_CALL_VERSION(a->call) != NOPHOOK_ARGS_VERSION || !a->prototype ||
        site->ip < pc || site->ip - pc >= a->size || module->records.lower_bound(pc) != index ||
        NOPHOOK_ARGS_REASON(a->call) == NOPHOOK_REASON_AFTER_PROLOGUE)
      continue;
    site->prototype = site->table.find(a->prototype);
  }
  return {};
}

} // namespace

Status find_probe_site(const char *function, ProbeSite *site) {
  static constexpr char kNone[] = "Invalid probed address or symbol";
  for (const char *c = function; *c; c++)
    if (*c == '*' || *c == '?' || *c == '[' || *c == '!' || (c == function && *c <= '9'))
      return failure(EINVAL, kNone); // a filter would take the name for a pattern
  NOPHOOK_TRY(adopt_modules());
  Filter only;
  if (!only.change(function, text_length(function), true, "", Filter::Misses::kRefused).ok())
    return failure(EINVAL, kNone);
  Module *found = nullptr;
  uint32_t found_index = 0, count = 0;
  for (Module *m = module_from(0); m; m = module_from(m->first_id + 1))
    m->records.each([&](uint32_t index, uint64_t ip, uint32_t, uint8_t) {
      if (!hash_has(only.hash(), m->first_id + index))
        return;
      count++;
      found = m;
      found_index = index;
      site->ip = ip;
    });
  if (!count)
    return failure(EINVAL, kNone);
  if (count > 1)
    return failure(EADDRNOTAVAIL, "The symbol is not unique");
  return find_prototype(found, found_index, site);
}

bool find_data_symbol(const char *name, uint64_t *address) {
  for (const Module *m = first_module(); m; m = m->next)
    if (m->loaded && find_symbol(m, name, address))
      return true;
  return false;
}

} // namespace nophook
