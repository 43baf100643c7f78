// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds modules, and compares them with the filters of all ops before their sites are enabled.

#include "ops/adopt.h"

#include "base/log.h"
#include "calls/calls.h"
#include "ops/call.h"
#include "ops/ops.h"
#include "ops/redirect.h"
#include "ops/static_calls.h"
#include "ops/update.h"

namespace nophook {
namespace {

uint32_t g_found = 0;
Discovery g_orphans; // modules that were found and are not adopted yet

Status take_in(nophook_ops *state) {
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded && !m->is_adopted) {
      NOPHOOK_TRY(state->filter.take_in(m));
      NOPHOOK_TRY(state->notrace.take_in(m));
    }
  return refilter(state->ops);
}

} // namespace

uint32_t found_modules() {
  return g_found;
}

Status find_modules() {
  Discovery found = {};
  NOPHOOK_TRY(discover_modules(&found));
  Status status = take_calls(&found);
  if (!status.ok()) {
    LogText line;
    log_line(line.add("calls into libraries are not traced: ").add(status.reason));
  }
  g_found += found.modules;
  g_orphans.modules += found.modules + found.back;
  g_orphans.records += found.records;
  g_orphans.pages += found.pages;
  return {};
}

Status adopt_found() {
  Discovery found = g_orphans;
  g_orphans = {};
  if (found.records) {
    LogText line;
    log_info(line.add("ftrace: allocating ")
                 .number(found.records)
                 .add(" entries in ")
                 .number(found.pages)
                 .add(" pages"));
  }
  if (!found.modules)
    return {};
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded && !m->is_adopted)
      convert_static_calls(m);
  if (nophook_calls)
    NOPHOOK_TRY(reserve_calls());
  for (nophook_ops *state = known_ops(); state; state = state->next)
    NOPHOOK_TRY(take_in(state));
  for (Module *m = first_module(); m; m = m->next)
    m->is_adopted = true;
  return {};
}

// Finds modules once. A module that comes later registers itself, and in a child of fork the
// loader's lock may be held for ever.
Status find_first_modules() {
  return first_module() ? Status{} : find_modules();
}

Status adopt_modules() {
  NOPHOOK_TRY(find_first_modules());
  return adopt_found();
}

void release_module(Module *module) {
  report_lost_sites(module);
  end_redirects(module);
  for (nophook_ops *state = known_ops(); state; state = state->next) {
    state->filter.forget(module);
    state->notrace.forget(module);
    if (state->selected && module->first_id + module->records.count() <= state->selected->ids)
      hash_set_range(state->selected, module->first_id, module->records.count(), false);
  }
  drop_calls(module);
  if (module->call_targets)
    clear_call_targets(module);
}

void drop_calls(const Module *module) {
  for (uint32_t i = 0; i < module->records.count(); i++)
    drop_call(module->first_id + i);
}

} // namespace nophook
