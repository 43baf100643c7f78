// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference counts, and the batch that follows from them.

#include "ops/update.h"

#include "arch/arch.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/sort.h"
#include "ops/filter.h"
#include "poke/island.h"
#include "poke/poke.h"

#include <errno.h>

namespace nophook {

static Status want_in_module(Module *module) {
  GlobalFilters &filters = global_filters();
  uint32_t count = module->records.count();
  if (!count)
    return {};
  auto *wanted = static_cast<uint8_t *>(map_pages(count));
  if (!wanted)
    return failure(ENOMEM, "no memory to apply filters");
  if (filters.filter.empty())
    for (uint32_t i = 0; i < count; i++)
      wanted[i] = 1;
  filters.filter.apply(module, wanted, 1);
  filters.notrace.apply(module, wanted, 0);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t &flags = module->records.flags(i);
    bool usable = !(module->records.state(i) & kStateDisabled);
    flags = (flags & ~kFtraceRefMask) | (wanted[i] && usable ? 1 : 0);
  }
  unmap_pages(wanted, count);
  return {};
}

Status want_filtered() {
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded)
      NOPHOOK_TRY(want_in_module(m));
  return {};
}

void want_nothing() {
  for (Module *m = first_module(); m; m = m->next)
    for (uint32_t i = 0; m->loaded && i < m->records.count(); i++)
      m->records.flags(i) &= ~kFtraceRefMask;
}

static uint64_t enabled_insn(const Module *module, uint32_t index, SiteKind kind) {
  uint64_t ip = module->records.ip(index), thunk = thunk_address(module, index);
  return kind == SiteKind::kCall ? Arch::encode_call(ip, thunk) : Arch::encode_jump(ip, thunk);
}

// What the site must hold before it is changed. A site that holds something else is foreign
// (a breakpoint, another tool): the batch finds that out and leaves it alone.
static uint64_t expected_insn(Module *module, uint32_t index, SiteKind kind, bool enabled) {
  if (enabled)
    return enabled_insn(module, index, kind);
  uint64_t now = Arch::read_insn(reinterpret_cast<uint8_t *>(module->records.ip(index)));
  uint8_t &state = module->records.state(index);
  if (now == Arch::kNopGas)
    state |= kStateNopGas;
  return state & kStateNopGas ? Arch::kNopGas : Arch::kNopClang;
}

static Status collect(Module *module, SiteKind kind, Array<PokeSite> *sites) {
  for (uint32_t i = 0; i < module->records.count(); i++) {
    uint32_t flags = module->records.flags(i);
    bool wanted = flags & kFtraceRefMask, enabled = flags & kFtraceEnabled;
    if (wanted == enabled)
      continue;
    if (!module->island)
      NOPHOOK_TRY(make_island(module));
    PokeSite site = {};
    site.ip = reinterpret_cast<uint8_t *>(module->records.ip(i));
    site.from = expected_insn(module, i, kind, enabled);
    site.to = wanted                                    ? enabled_insn(module, i, kind)
              : module->records.state(i) & kStateNopGas ? Arch::kNopGas
                                                        : Arch::kNopClang;
    if (!sites->push(site))
      return failure(ENOMEM, "no memory for a batch");
  }
  return {};
}

// Records what the batch has done; returns how many sites it has changed.
static uint64_t settle(Module *module, Array<PokeSite> &sites) {
  uint64_t changed = 0;
  const PokeSite *next = sites.begin();
  while (next != sites.end() && reinterpret_cast<uint64_t>(next->ip) < module->records.ip(0))
    next++;
  for (uint32_t i = 0; i < module->records.count() && next != sites.end(); i++) {
    if (module->records.ip(i) != reinterpret_cast<uint64_t>(next->ip))
      continue;
    uint32_t &flags = module->records.flags(i);
    if (next->failed) {
      module->records.state(i) |= kStateDisabled;
      flags &= ~(kFtraceRefMask | kFtraceEnabled);
    } else {
      flags ^= kFtraceEnabled;
      module->records.state(i) |= kStateTouched;
      changed++;
    }
    ++next;
  }
  return changed;
}

Status update_sites(SiteKind kind, uint64_t *changed) {
  Array<PokeSite> sites;
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded)
      NOPHOOK_TRY(collect(m, kind, &sites));
  sort(sites.data(), sites.size(),
       [](const PokeSite &a, const PokeSite &b) { return a.ip < b.ip; });
  NOPHOOK_TRY(text_poke_batch(sites.data(), sites.size()));
  *changed = 0;
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded && m->records.count())
      *changed += settle(m, sites);
  if (*changed != sites.size()) {
    LogText line;
    log_line(line.number(sites.size() - *changed)
                 .add(" functions hold foreign code at their entry and are left alone"));
  }
  return {};
}

} // namespace nophook
