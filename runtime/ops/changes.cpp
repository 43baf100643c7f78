// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The records of a batch under way, and the memory that it is collected in.

#include "ops/changes.h"

#include "arch/arch.h"
#include "base/eternal.h"
#include "base/own_identity.h"
#include "base/safe_read.h"
#include "base/sort.h"
#include "ops/call.h"

#include <errno.h>

namespace nophook {
namespace {

// The lists of a batch, which are kept for the next one: their page faults would cost as much as
// the patching. They take 20 bytes for each site.
Changes &scratch() {
  static Eternal<Changes> changes;
  return *changes;
}

// Calls visit(record, change, site) for each change.
template <class Visit> void each_change(Changes &work, Visit visit) {
  for (uint64_t i = 0; Module *module : work.modules) {
    Records::Walk records(module->records);
    for (; i < work.changes.size(); i++) {
      uint32_t index = work.changes[i].id - module->first_id;
      if (index >= module->records.count())
        break;
      visit(records.at(index), work.changes[i], work.sites[i]);
    }
  }
}

// The instruction of the site at `ip`; kGone: the text is unmapped; kUnknown: the kernel does not
// show it.
constexpr uint64_t kGone = 0, kUnknown = ~uint64_t{0};
uint64_t read_safely(uint64_t ip) {
  uint64_t insn = 0;
  long copied = safe_read(thread_id(), ip, &insn, Arch::kSiteBytes);
  if (copied == (long)Arch::kSiteBytes)
    return insn;
  return copied == -EFAULT || copied >= 0 ? kGone : kUnknown;
}

} // namespace

Changes &begin_changes() {
  Changes &work = scratch();
  work.modules.clear();
  work.sites.clear();
  work.changes.clear();
  return work;
}

Status Changes::make_room(const FtraceHash *dirty) {
  uint64_t count = 0;
  for (uint32_t word = 0; word < dirty->ids / 64; word++)
    count += (uint64_t)__builtin_popcountll(dirty->words[word]);
  if (!sites.reserve(count) || !changes.reserve(count))
    return failure(ENOMEM, "no memory for a batch");
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded && m->records.count() && !modules.push(m))
      return failure(ENOMEM, "no memory for a batch");
  sort(modules.data(), modules.size(), [](Module *a, Module *b) { return a->start < b->start; });
  return {};
}

void set_site(Records::Record record, Site to) {
  uint32_t flags = record.flags & ~(kFtraceEnabled | kFtraceRegsEn);
  uint32_t state = record.state & ~kStateSite;
  if (to != Site::kOff) {
    bool has_registers = to == Site::kOpsRegs || to == Site::kOpsExit;
    flags |= kFtraceEnabled | (has_registers && flags & kFtraceRegs ? kFtraceRegsEn : 0);
    state |= kStateTouched | (uint32_t)to << kStateSiteShift;
  }
  record.flags = flags;
  record.state = (SiteState)state;
}

void Changes::add(Records::Record record, uint32_t id, Site to, PokeSite site) {
  sites.append(site);
  changes.append({id, site_of(record.state), to == Site::kOff, (record.flags & kFtraceRegsEn) != 0,
                  record.state});
  set_site(record, to);
}

bool is_nop_again(uint64_t ip, SiteState &state) {
  const uint64_t insn = read_safely(ip);
  if (!Arch::is_nop_insn(insn))
    return false;
  state = (SiteState)((state & ~kStateNopGas) | (insn == Arch::kNopGas ? kStateNopGas : 0));
  return true;
}

bool is_taken_by_probe(uint64_t ip, uint64_t insn) {
  const uint64_t found = read_safely(ip);
  return found != kGone && found != kUnknown && found != insn && is_uprobe_call(ip, found);
}

void give_up(Records::Record record, uint32_t id) {
  drop_call(id);
  auto [ip, flags, state] = record;
  state = (SiteState)((state & ~kStateSite) | kStateForeign);
  flags = 0;
}

Failures finish_changes(uint64_t failed) {
  Failures failures = {};
  if (!failed && !nophook_calls)
    return failures;
  each_change(scratch(), [&](Records::Record record, Change made, const PokeSite &site) {
    bool is_nop = site.failed() && is_nop_again(record.ip, record.state);
    if (site.failed() && !is_nop) {
      give_up(record, made.id);
      if (read_safely(record.ip) == kGone) // its loss was reported before
        return;
      failures.foreign++;
      failures.first = made.id;
      return;
    }
    if (is_nop) {
      failures.restored++;
      failures.first = made.id;
      failures.again += !made.to_off;
      set_site(record, Site::kOff);
    }
    if (made.to_off)
      drop_call(made.id);
  });
  return failures;
}

void take_changes_back() {
  each_change(scratch(), [](Records::Record record, Change before, const PokeSite &) {
    set_site(record, (Site)before.from);
    record.flags = (record.flags & ~kFtraceRegsEn) | (before.had_registers ? kFtraceRegsEn : 0);
    if (!before.was_touched)
      record.state &= (SiteState)~kStateTouched;
  });
  scratch().changes.clear();
}

} // namespace nophook
