// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns everything off without the layers that turned it on: the records show which sites
// are enabled, and the text shows by which instruction.

#include "poke/kill_switch.h"

#include "arch/arch.h"
#include "base/mappings.h"
#include "base/memory.h"
#include "base/sort.h"
#include "poke/poke.h"
#include "sites/module.h"

namespace nophook {
namespace {

LogText g_reason;
bool g_tripped = false;

// Visits the records of enabled sites.
template <class Visit> void each_enabled(Visit visit) {
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded)
      m->records.each([&](uint32_t, uint64_t ip, uint32_t &flags, SiteState &state) {
        if (flags & kFtraceEnabled)
          visit(reinterpret_cast<uint8_t *>(ip), flags, state);
      });
}

// Whether the text is still mapped: the program may have unmapped it.
bool is_there(Mappings &mappings, const uint8_t *ip) {
  return mappings.can_read(reinterpret_cast<uint64_t>(ip), Arch::kSiteBytes);
}

// Turns static calls off: they have no text to be restored, only a table.
void turn_static_calls_off() {
  for (Module *m = first_module(); m; m = m->next) {
    if (!m->loaded || !m->call_targets)
      continue;
    clear_call_targets(m);
    m->records.each([](uint32_t, uint64_t, uint32_t &flags, SiteState &state) {
      if (!(state & kStateCall))
        return;
      flags &= ~(kFtraceEnabled | kFtraceRegsEn);
      state &= (SiteState)~kStateSite;
    });
  }
}

void by_address(PokeSite *sites, uint64_t count) {
  sort(sites, count,
       [](const PokeSite &a, const PokeSite &b) { return a.address() < b.address(); });
}

void all_off() {
  turn_static_calls_off();
  Array<PokeSite> sites;
  uint64_t enabled = 0, left = 0;
  each_enabled([&](uint8_t *, uint32_t &, SiteState &) { enabled++; });
  if (!sites.reserve(enabled)) {
    log_line("no memory to turn all sites off");
    return;
  }
  Mappings mappings;
  each_enabled([&](uint8_t *ip, uint32_t &, SiteState &state) {
    if (!is_there(mappings, ip))
      return;
    uint64_t found = Arch::read_insn(ip);
    if (Arch::is_branch_insn(found)) // other bytes are no longer ours
      sites.append({reinterpret_cast<uint64_t>(ip), found, nop_of(state)});
  });
  by_address(sites.data(), sites.size());
  // The sites that need no int3 are changed first, since those that need it may have to stay as
  // they are.
  uint64_t sure = 0;
  for (uint64_t i = 0; i < sites.size(); i++)
    if (poke_way(sites[i].address()) != PokeWay::kTrap) {
      PokeSite site = sites[i];
      sites[i] = sites[sure];
      sites[sure++] = site;
    }
  by_address(sites.data() + sure, sites.size() - sure);
  set_preferred_way(PokeWay::kStore);
  Status status = text_poke_batch(sites.data(), sure);
  Status rest = text_poke_batch(sites.data() + sure, sites.size() - sure);
  if (status.ok())
    status = rest;
  each_enabled([&](uint8_t *ip, uint32_t &flags, SiteState &state) {
    bool off = is_there(mappings, ip) && Arch::read_insn(ip) == nop_of(state);
    flags &= ~(kFtraceEnabled | kFtraceRegsEn);
    state = (SiteState)((state & ~kStateSite) | (off ? 0 : kStateForeign));
    left += !off;
  });
  if (left) {
    LogText line;
    line.number(left).add(" sites could not be turned off");
    log_line(status.ok() ? line : line.add(": ").add(status.reason));
  }
}

} // namespace

const char *kill_reason() {
  return __atomic_load_n(&g_tripped, __ATOMIC_ACQUIRE) ? g_reason.c_str() : nullptr;
}

void trip_kill_switch(const LogText &reason) {
  if (g_tripped)
    return;
  g_reason = reason;
  __atomic_store_n(&g_tripped, true, __ATOMIC_RELEASE); // pairs with kill_reason
  LogText line;
  log_refusal(line.add("tracing is off for good: ").add(reason.c_str()));
  all_off();
}

} // namespace nophook
