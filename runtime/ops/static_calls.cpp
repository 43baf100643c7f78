// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns calls into NOPs, or keeps a table of their targets.

#include "ops/static_calls.h"

#include "arch/arch.h"
#include "arch/callback_path.h"
#include "base/log.h"
#include "base/memory.h"
#include "poke/kill_switch.h"
#include "poke/poke.h"

#include <elf.h>
#include <errno.h>

namespace nophook {
namespace {

bool g_keeps_calls = false;

uint64_t count_calls(Module *module) {
  uint64_t calls = 0;
  module->records.each([&](uint32_t, uint64_t, uint32_t &, SiteState &state) {
    calls += (state & kStateCall) != 0;
  });
  return calls;
}

bool is_direct(uint64_t ip) {
  return Arch::call_target(ip) != 0;
}

// A call through the GOT is six bytes, of which the site is five: it cannot become a NOP in one
// step, and stays. Linkers make it a direct call where they can.
Status turn_into_nops(Module *module, uint64_t calls) {
  Array<PokeSite> sites;
  if (!sites.reserve(calls))
    return failure(ENOMEM, "no memory for a batch");
  module->records.each([&](uint32_t, uint64_t ip, uint32_t &, SiteState &state) {
    if (!(state & kStateCall) || !is_direct(ip))
      return;
    sites.append({ip, Arch::read_insn(reinterpret_cast<uint8_t *>(ip)), Arch::kNopGas});
  });
  NOPHOOK_TRY(text_poke_batch(sites.data(), sites.size()));
  const PokeSite *next = sites.begin();
  module->records.each([&](uint32_t, uint64_t ip, uint32_t &, SiteState &state) {
    if (next == sites.end() || next->address() != ip)
      return;
    if (!(next++)->failed())
      state &= (SiteState)~kStateCall;
  });
  if (sites.size() < calls)
    return failure(EPERM, "they go through the GOT");
  return failure(EBUSY, "another tool, or a thread that blocks SIGTRAP, prevents it");
}

Status make_table(Module *module) {
  module->call_targets =
      static_cast<uint64_t *>(map_pages(module->records.count() * sizeof(uint64_t)));
  if (!module->call_targets)
    return failure(ENOMEM, "no memory for the table of static calls");
  __atomic_store_n(&module->static_calls->hook, reinterpret_cast<uint64_t>(nophook_static_call),
                   __ATOMIC_RELEASE);
  return {};
}

} // namespace

void keep_calls() {
  g_keeps_calls = true;
}

void convert_static_calls(Module *module) {
  uint64_t calls = module->static_calls ? count_calls(module) : 0;
  if (!calls || g_keeps_calls || module->static_calls->is_static || module->call_targets)
    return;
  Status status = turn_into_nops(module, calls);
  uint64_t stay = count_calls(module);
  if (!stay)
    return;
  LogText line;
  log_line(line.add(module->path)
               .add(": ")
               .number(stay)
               .add(" calls of mcount stay (static tracing): ")
               .add(status.reason));
}

// The descriptor lies behind the note's head and its name.
bool has_static_calls(const nophook_note *note) {
  const auto *head = reinterpret_cast<const Elf64_Nhdr *>(
      reinterpret_cast<const char *>(note) - sizeof(NOPHOOK_NOTE_NAME) - sizeof(Elf64_Nhdr));
  return head->n_descsz >= NOPHOOK_NOTE_KEPT_CALLS_BYTES && note->static_calls &&
         reinterpret_cast<uint64_t>(&note->static_calls) + (uint64_t)note->static_calls >
             reinterpret_cast<uint64_t>(note);
}

// The table is made with its first entry: a module that is not traced needs none.
Status set_call_target(Module *module, uint32_t index, uint64_t target, bool jumps) {
  if (target && kill_reason())
    return failure(ENODEV, kill_reason());
  if (!module->call_targets)
    NOPHOOK_TRY(make_table(module));
  uint64_t *at = &module->call_targets[index];
  module->calls_on += (target != 0) - (*at != 0);
  __atomic_store_n(at, target | (jumps ? kKeptCallJumps : 0), __ATOMIC_RELEASE);
  __atomic_store_n(&module->static_calls->on, (uint64_t)(module->calls_on != 0), __ATOMIC_RELEASE);
  return {};
}

extern "C" uint64_t nophook_static_call_target(uint64_t back) {
  uint64_t ip = back - Arch::kSiteBytes;
  for (const Module *m = first_module(); m; m = m->next) {
    if (!m->loaded || ip < m->start || ip >= m->end || !m->call_targets)
      continue;
    uint32_t index = m->records.lower_bound(ip);
    if (index < m->records.count() && m->records.ip(index) == ip)
      return __atomic_load_n(&m->call_targets[index], __ATOMIC_ACQUIRE);
  }
  return 0;
}

} // namespace nophook
