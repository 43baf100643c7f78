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

// Scratch memory of a change, kept for the next one: its page faults would cost as much as
// the patching. 25 bytes for each site at most; never destroyed. Under the runtime's lock.
struct Scratch {
  Array<PokeSite> sites;
  Array<uint8_t> wanted;
};
static Scratch &scratch() {
  alignas(Scratch) static char storage[sizeof(Scratch)]; // all zero is its empty state
  return *reinterpret_cast<Scratch *>(storage);
}

static Status want_in_module(Module *module) {
  GlobalFilters &filters = global_filters();
  uint32_t count = module->records.count();
  if (!count)
    return {};
  Array<uint8_t> &memory = scratch().wanted;
  if (!memory.reserve(count))
    return failure(ENOMEM, "no memory to apply filters");
  uint8_t *wanted = memory.data();
  for (uint32_t i = 0; i < count; i++)
    wanted[i] = filters.filter.empty();
  filters.filter.apply(module, wanted, 1);
  filters.notrace.apply(module, wanted, 0);
  module->records.each([&](uint32_t i, uint64_t, uint32_t &flags, uint8_t &state) {
    flags = (flags & ~kFtraceRefMask) | (wanted[i] && !(state & kStateDisabled) ? 1 : 0);
  });
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
    m->records.each(
        [](uint32_t, uint64_t, uint32_t &flags, uint8_t &) { flags &= ~kFtraceRefMask; });
}

// The instruction of a site that is off, and of one that is on.
static uint64_t off_insn(uint8_t state) {
  return state & kStateNopGas ? Arch::kNopGas : Arch::kNopClang;
}
static uint64_t on_insn(uint64_t ip, uint64_t thunk, SiteKind kind) {
  return kind == SiteKind::kCall ? Arch::encode_call(ip, thunk) : Arch::encode_jump(ip, thunk);
}

static bool is_pending(uint32_t flags) {
  return !(flags & kFtraceRefMask) != !(flags & kFtraceEnabled);
}

// Appends what has to change. A site that holds something else than it should is foreign (a
// breakpoint, another tool): the batch finds that out and leaves it alone.
static Status collect(Module *module, SiteKind kind, Array<PokeSite> *sites) {
  uint64_t pending = 0;
  module->records.each(
      [&](uint32_t, uint64_t, uint32_t &flags, uint8_t &) { pending += is_pending(flags); });
  if (!pending)
    return {};
  NOPHOOK_TRY(make_island(module, kind));
  if (!sites->reserve(sites->size() + pending))
    return failure(ENOMEM, "no memory for a batch");
  module->records.each([&](uint32_t i, uint64_t ip, uint32_t &flags, uint8_t &state) {
    if (!is_pending(flags))
      return;
    uint64_t on = on_insn(ip, thunk_address(module, i, kind), kind), off = off_insn(state);
    bool enabled = flags & kFtraceEnabled;
    PokeSite site = {};
    site.ip = reinterpret_cast<uint8_t *>(ip);
    site.from = enabled ? on : off;
    site.to = enabled ? off : on;
    sites->append(site);
  });
  return {};
}

// Records what the batch has done; returns how many sites it has changed.
static uint64_t settle(Module *module, const PokeSite *next, const PokeSite *end) {
  uint64_t changed = 0;
  while (next != end && reinterpret_cast<uint64_t>(next->ip) < module->records.ip(0))
    next++;
  module->records.each([&](uint32_t, uint64_t ip, uint32_t &flags, uint8_t &state) {
    if (next == end || reinterpret_cast<uint64_t>(next->ip) != ip)
      return;
    if (next->failed) {
      state |= kStateDisabled;
      flags &= ~(kFtraceRefMask | kFtraceEnabled);
    } else {
      flags ^= kFtraceEnabled;
      state |= kStateTouched;
      changed++;
    }
    next++;
  });
  return changed;
}

Status update_sites(SiteKind kind, uint64_t *changed) {
  Array<PokeSite> &sites = scratch().sites;
  sites.clear();
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded)
      NOPHOOK_TRY(collect(m, kind, &sites));
  sort(sites.data(), sites.size(),
       [](const PokeSite &a, const PokeSite &b) { return a.ip < b.ip; });
  NOPHOOK_TRY(text_poke_batch(sites.data(), sites.size()));
  *changed = 0;
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded && m->records.count())
      *changed += settle(m, sites.begin(), sites.end());
  if (*changed != sites.size()) {
    LogText line;
    log_line(line.number(sites.size() - *changed)
                 .add(" functions hold foreign code at their entry and are left alone"));
  }
  return {};
}

} // namespace nophook
