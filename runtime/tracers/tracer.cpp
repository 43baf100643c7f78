// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting and stopping the tracers. Order matters at both ends: a site is opened only when
// everything behind it is in place (tables, islands, buffer), and the old tracer's sites are
// closed before the new one's are opened. Threads may still be on their way behind a closed
// site: what is there stays what it was.

#include "tracers/tracer.h"

#include "arch/fast_path.h"
#include "base/bytes.h"
#include "base/log.h"
#include "buffer/buffer.h"
#include "ops/filter.h"
#include "ops/update.h"
#include "poke/island.h"

#include <errno.h>

namespace nophook {

void find_cpu_numbers();

namespace {

struct Tracer {
  const char *name;
  uint32_t event; // what the buffer's header says
  SiteKind kind;
};

constexpr Tracer kTracers[] = {
    {"nop", NOPHOOK_EVENT_NONE, SiteKind::kCall},
    {"function", NOPHOOK_EVENT_FUNCTION, SiteKind::kCall},
    {"function_graph", NOPHOOK_EVENT_ENTRY, SiteKind::kJump},
};

const Tracer *g_current = &kTracers[0];

Status make_islands() {
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded && m->records.count())
      NOPHOOK_TRY(make_island(m, g_current->kind));
  return {};
}

Status stop() {
  uint64_t changed = 0;
  want_nothing();
  Status status = update_sites(g_current->kind, &changed);
  if (!status.ok()) { // sites still lead to this tracer's trampolines: so it stays
    Status ignored = want_filtered();
    (void)ignored;
    return status;
  }
  buffer_stop();
  g_current = &kTracers[0];
  return {};
}

Status enable() {
  NOPHOOK_TRY(make_islands());
  NOPHOOK_TRY(want_filtered());
  uint64_t changed = 0;
  return update_sites(g_current->kind, &changed);
}

// Finds modules, tells readers what their ids are, and enables what is wanted. A process
// without a single site opens no buffer: its children or libraries may have some.
Status take_in_modules() {
  Discovery found;
  NOPHOOK_TRY(discover_modules(&found));
  bool any = false;
  for (Module *m = first_module(); m; m = m->next)
    any = any || (m->loaded && m->records.count());
  if (!any)
    return {};
  NOPHOOK_TRY(buffer_open(g_current->event, found.modules));
  if (found.records) {
    LogText line;
    log_line(line.add("ftrace: allocating ")
                 .number(found.records)
                 .add(" entries in ")
                 .number(found.pages)
                 .add(" pages"));
  }
  find_cpu_numbers();
  buffer_start();
  return enable();
}

} // namespace

const char *current_tracer() {
  return g_current->name;
}

Status set_tracer(const char *name) {
  const Tracer *wanted = nullptr;
  for (const Tracer &t : kTracers)
    if (text_length(t.name) == text_length(name) && equal_bytes(t.name, name, text_length(name)))
      wanted = &t;
  if (!wanted)
    return failure(EINVAL, "unknown tracer (nop, function, function_graph)");
  if (wanted == g_current)
    return {};
  if (wanted->event && !buffer_configured())
    return failure(ENODEV, "no buffer_dir is set: start the program with `nophook record`");
  if (g_current->event)
    NOPHOOK_TRY(stop());
  if (!wanted->event)
    return {};
  g_current = wanted;
  Status status = take_in_modules();
  if (!status.ok()) {
    Status ignored = stop();
    (void)ignored;
  }
  return status;
}

Status refilter() {
  if (!g_current->event)
    return {};
  NOPHOOK_TRY(want_filtered());
  uint64_t changed = 0;
  return update_sites(g_current->kind, &changed);
}

Status module_arrived(const nophook_note *note) {
  if (!g_current->event || find_module(note))
    return {};
  return take_in_modules();
}

void module_leaves(const nophook_note *note) {
  Module *module = find_module(note);
  if (!module)
    return;
  uint64_t changed = 0;
  module->records.each(
      [](uint32_t, uint64_t, uint32_t &flags, uint8_t &) { flags &= ~kFtraceRefMask; });
  Status status = update_sites(g_current->kind, &changed);
  (void)status; // the text is going away in any case
  forget_module(module);
}

} // namespace nophook
