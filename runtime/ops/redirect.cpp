// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of redirections. There are few, and they change seldom.

#include "ops/redirect.h"

#include "arch/arch.h"
#include "base/log.h"
#include "ops/update.h"
#include "poke/island.h"
#include "sites/symbols.h"

#include <errno.h>

namespace nophook {
namespace {

Redirect *g_redirects = nullptr;

// The function whose entry, or whose site right behind it, is at `address`.
bool find_entry(uint64_t address, Module **module, uint32_t *index) {
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded && in_text(m, address, 4) && find_record(m, address, 0, index)) {
      *module = m;
      return true;
    }
  return false;
}

bool is_modified_by_callback(uint32_t id) {
  for (const ftrace_ops *ops = registered_ops(); ops; ops = ops->next)
    if (ops->flags & (FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_DIRECT) && ops_has(ops, id))
      return true;
  return false;
}

Status update_site(const Redirect &redirect) {
  FtraceHash *site = new_hash(id_limit());
  if (!site)
    return failure(ENOMEM, "no memory to redirect a function");
  hash_set(site, redirect.old_id, true);
  Status status = update_sites(site);
  free_hash(site);
  return status;
}

// Starts a redirection. The function that calls will reach is enabled first, and the other one is
// released afterwards: no ops that wants the function misses a call.
Status start(Redirect *redirect) {
  redirect->is_starting = true;
  Status status = reselect_all(true);
  redirect->is_starting = false;
  NOPHOOK_TRY(status);
  NOPHOOK_TRY(update_site(*redirect));
  return reselect_all(false);
}

Redirect **find(uint32_t id) {
  Redirect **at = &g_redirects;
  while (*at && (*at)->old_id != id)
    at = &(*at)->next;
  return at;
}

Status end(Redirect **at) {
  Redirect *redirect = *at;
  redirect->is_ending = true;
  Status status = reselect_all(true);
  if (status.ok())
    status = update_site(*redirect);
  if (!status.ok()) {
    redirect->is_ending = false;
    Status restored = reselect_all(false);
    (void)restored; // sites that could not be changed keep their state
    return status;
  }
  *at = redirect->next;
  unmap_pages(redirect, sizeof(Redirect));
  return reselect_all(false);
}

Status begin(const Redirect &wanted) {
  auto *redirect = static_cast<Redirect *>(map_pages(sizeof(Redirect)));
  if (!redirect)
    return failure(ENOMEM, "no memory to redirect a function");
  *redirect = wanted;
  redirect->next = g_redirects;
  g_redirects = redirect;
  Status status = start(redirect);
  if (!status.ok()) {
    Status ignored = end(&g_redirects);
    (void)ignored; // nothing of it has begun: the first error is returned
  }
  return status;
}

// The id of a function with a site that tracers can follow, or kNoId.
uint32_t id_of_entry(uint64_t function) {
  Module *module;
  uint32_t index;
  return find_entry(function, &module, &index) ? module->first_id + index : kNoId;
}

} // namespace

bool any_redirects() {
  return g_redirects;
}

const Redirect *redirect_at_site(uint32_t id) {
  return g_redirects ? *find(id) : nullptr;
}

const Redirect *redirect_of(uint32_t id) {
  const Redirect *redirect = redirect_at_site(id);
  return redirect && !redirect->is_starting && !redirect->is_ending ? redirect : nullptr;
}

void follow_redirects(FtraceHash *selected, const FtraceHash *notrace) {
  for (const Redirect *r = g_redirects; r; r = r->next) {
    if (r->is_ending || r->new_id == kNoId)
      continue;
    bool is_wanted = hash_has(selected, r->old_id) || hash_has(selected, r->new_id);
    hash_set(selected, r->new_id, is_wanted && !hash_has(notrace, r->old_id));
  }
}

Status add_redirect(uint64_t old_function, uint64_t new_function) {
  Module *module, *new_module;
  uint32_t index, new_index;
  if (!find_entry(old_function, &module, &index))
    return failure(EINVAL, "no function with a site at its entry begins there");
  uint32_t old_id = module->first_id + index;
  bool has_site = find_entry(new_function, &new_module, &new_index);
  uint32_t new_id = has_site ? new_module->first_id + new_index : kNoId;
  if (!new_function || new_id == old_id || (has_site && redirect_of(new_id)))
    return failure(EINVAL, "a function cannot be redirected to itself, or to a redirected one");
  if (redirect_of(old_id) || is_modified_by_callback(old_id))
    return failure(EBUSY, "the function is redirected already");
  for (const Redirect *r = g_redirects; r; r = r->next)
    if (r->new_id == old_id)
      return failure(EBUSY, "another function is redirected to this one");
  uint64_t jump = 0;
  NOPHOOK_TRY(reach_from(module, module->records.ip(index), new_function, &jump));
  return begin({nullptr, module, old_id, new_id, new_function, jump, false, false, false});
}

Status remove_redirect(uint64_t old_function) {
  Module *module;
  uint32_t index;
  if (!g_redirects || !find_entry(old_function, &module, &index))
    return failure(ENOENT, "no function is redirected there");
  Redirect **at = find(module->first_id + index);
  return *at && !(*at)->is_patch ? end(at) : failure(ENOENT, "the function is not redirected");
}

Status add_patched(Module *module, uint32_t index, uint64_t stub, uint64_t new_function) {
  const uint32_t id = module->first_id + index;
  if (redirect_at_site(id))
    return failure(EBUSY, "the function is redirected by register_ftrace_redirect()");
  if (is_modified_by_callback(id))
    return failure(EBUSY, "a callback decides where the function continues");
  for (const Redirect *r = g_redirects; r; r = r->next)
    if (r->new_id == id && !r->is_patch)
      return failure(EBUSY, "another function is redirected to this one");
  return begin(
      {nullptr, module, id, id_of_entry(new_function), new_function, stub, false, false, true});
}

Status follow_patched(uint32_t old_id, uint64_t new_function) {
  Redirect *redirect = *find(old_id);
  if (!redirect) // at the end of the program its functions have been given back
    return {};
  redirect->target = new_function;
  redirect->new_id = id_of_entry(new_function);
  NOPHOOK_TRY(reselect_all(true));
  return reselect_all(false);
}

bool any_patched() {
  const Redirect *r = g_redirects;
  while (r && !r->is_patch)
    r = r->next;
  return r;
}

Status remove_patched(uint32_t old_id) {
  Redirect **at = find(old_id);
  return *at ? end(at) : Status{};
}

void end_redirects(const Module *module) {
  for (Redirect **at = &g_redirects; *at;) {
    bool is_concerned =
        (*at)->module == module || ((*at)->target >= module->start && (*at)->target < module->end);
    Redirect *before = *at;
    if (is_concerned)
      if (Status ended = end(at); !ended.ok())
        log_line(LogText()
                     .add(module->path)
                     .add(" is unloaded, and a redirection of or to it cannot be ended: ")
                     .add(ended.reason));
    if (*at == before)
      at = &(*at)->next;
  }
}

} // namespace nophook
