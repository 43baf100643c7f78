// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The records of a batch under way, and the memory that it is collected in.

#include "ops/changes.h"

#include "base/sort.h"
#include "ops/call.h"

#include <errno.h>

namespace nophook {
namespace {

// Kept for the next one: its page faults would cost as much as the patching. 20 bytes for each
// site; never destroyed.
Changes &scratch() {
  alignas(Changes) static char storage[sizeof(Changes)]; // all zero is its empty state
  return *reinterpret_cast<Changes *>(storage);
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

// Records that it holds foreign bytes. A call of ours may be under a breakpoint: it calls nobody.
void give_up(Records::Record record, uint32_t id) {
  drop_call(id);
  auto [ip, flags, state] = record;
  state = (uint8_t)((state & ~kStateSite) | kStateDisabled);
  flags = 0;
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
  record.state = (uint8_t)state;
}

void Changes::add(Records::Record record, uint32_t id, Site to, PokeSite site) {
  sites.append(site);
  changes.append({id, site_of(record.state), to == Site::kOff, (record.flags & kFtraceRegsEn) != 0,
                  record.state});
  set_site(record, to);
}

void finish_changes(uint64_t failed) {
  if (!failed && !nophook_calls)
    return;
  each_change(scratch(), [](Records::Record record, Change made, const PokeSite &site) {
    if (site.failed())
      give_up(record, made.id);
    else if (made.to_off)
      drop_call(made.id);
  });
}

void take_changes_back() {
  each_change(scratch(), [](Records::Record record, Change before, const PokeSite &) {
    set_site(record, (Site)before.from);
    record.flags = (record.flags & ~kFtraceRegsEn) | (before.had_registers ? kFtraceRegsEn : 0);
    if (!before.was_touched)
      record.state &= (uint8_t)~kStateTouched;
  });
  scratch().changes.clear();
}

} // namespace nophook
