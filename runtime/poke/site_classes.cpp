// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the class of a site from its descriptor or, behind a prologue, from the code in front of
// it.

#include "poke/site_classes.h"

#include "arch/arch.h"
#include "arch/fast_path.h"
#include "base/mappings.h"

#include <nophook/args.h>

namespace nophook {

void read_descriptors(Module *module, uint8_t *slot) {
  for (uint32_t i = 0; i < module->records.count(); i++)
    nophook_bodies[module->first_id + i] = module->records.ip(i) + Arch::kSiteBytes;
  ArgsRange range = module_args(module);
  uint32_t count = module->records.count();
  uint32_t next = 0; // descriptors mostly ascend as the sites do
  for (const struct nophook_args *a = range.begin; a != range.end; a++) {
    uint64_t pc = args_pc(range, a);
    if (next >= count || module->records.ip(next) < pc ||
        (next && module->records.ip(next - 1) >= pc))
      next = module->records.lower_bound(pc);
    if (next >= count || module->records.ip(next) - pc >= a->size ||
        NOPHOOK_ARGS_CALL_VERSION(a->call) != NOPHOOK_ARGS_VERSION)
      continue;
    uint32_t stack_bytes = NOPHOOK_ARGS_STACK_BYTES(a->call);
    if (NOPHOOK_ARGS_HOW(a->call) == NOPHOOK_CALL_THROUGH) {
      slot[next] = ISLAND_SLOT_THROUGH;
    } else if (NOPHOOK_ARGS_HOW(a->call) == NOPHOOK_CALL_COPY && stack_bytes &&
               stack_bytes <= NOPHOOK_COPY_MAX_BYTES) {
      slot[next] = ISLAND_SLOT_COPY;
      nophook_copies[module->first_id + next] = stack_bytes;
    }
    next++;
  }
}

// The slot of a site that is not at its function's entry. A trampoline finds the caller of such a
// site by the frame pointer. gcc's nested functions have their site behind a push in objects of
// older versions of recordmcount: there the frame pointer is still the caller's, and may hold
// anything. So the code in front of the site decides, not the descriptor. If the code shows
// nothing, the word at the top of the stack stands for the caller.
static uint8_t slot_behind_entry(Mappings &mappings, uint64_t pc, uint64_t ip) {
  constexpr uint64_t kMostBytes = 256; // largest prologue
  if (ip - pc > kMostBytes || !mappings.can_read(pc, ip - pc))
    return ISLAND_SLOT_BEHIND_ENTRY;
  switch (Arch::site_frame(reinterpret_cast<const uint8_t *>(pc), ip - pc)) {
  case SiteFrame::kFrame:
    return ISLAND_SLOT_AFTER_PROLOGUE;
  case SiteFrame::kPushed:
    return ISLAND_SLOT_AFTER_PUSH;
  case SiteFrame::kUnknown:
    break;
  }
  return ISLAND_SLOT_BEHIND_ENTRY;
}

// Finds such sites. Few programs have any: other descriptors are skipped without a search for their
// record.
void find_sites_after_prologue(Module *module, uint8_t *slot) {
  Mappings mappings;
  constexpr uint32_t kWanted =
      NOPHOOK_ARGS_CALL(NOPHOOK_CALL_ENTRY_ONLY, NOPHOOK_REASON_AFTER_PROLOGUE, 0);
  ArgsRange range = module_args(module);
  for (const struct nophook_args *a = range.begin; a != range.end; a++) {
    if (a->call != kWanted)
      continue;
    uint64_t pc = args_pc(range, a);
    uint32_t index = module->records.lower_bound(pc);
    if (index < module->records.count() && module->records.ip(index) - pc < a->size)
      slot[index] = slot_behind_entry(mappings, pc, module->records.ip(index));
  }
}

} // namespace nophook
