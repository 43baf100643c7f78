// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts, what follows from them, and the batch that makes it so.
//
// What a site is now is kept in its record, and so is known what its bytes must be; the batch
// compares them before it writes. A site that holds something else is foreign (a breakpoint,
// another tool) and left alone from then on.

#include "ops/update.h"

#include "arch/arch.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/sort.h"
#include "ops/call.h"
#include "ops/kept_calls.h"
#include "ops/ops.h"
#include "ops/redirect.h"
#include "poke/island.h"
#include "poke/poke.h"

#include <errno.h>

namespace nophook {
namespace {

struct Change {
  uint32_t id;
  Site to;
};

// Scratch memory of a change, kept for the next one: its page faults would cost as much as
// the patching. 32 bytes for each site at most; never destroyed. Under the runtime's lock.
struct Scratch {
  Array<Module *> modules;
  Array<PokeSite> sites; // ascending, and one for each of
  Array<Change> changes;
  bool enabled;
  bool any_redirects;
};
Scratch &scratch() {
  alignas(Scratch) static char storage[sizeof(Scratch)]; // all zero is its empty state
  return *reinterpret_cast<Scratch *>(storage);
}

// By Site; a redirection goes to no thunk.
constexpr SiteKind kKinds[] = {SiteKind::kCall, SiteKind::kCall,    SiteKind::kJump,
                               SiteKind::kOps,  SiteKind::kOpsRegs, SiteKind::kOpsExit,
                               SiteKind::kCall, SiteKind::kProfile};

SiteKind kind_of(Site site) {
  return kKinds[(int)site];
}

uint64_t insn_of(const Module *module, uint32_t index, uint64_t ip, Site site, uint8_t state) {
  if (site == Site::kOff)
    return state & kStateNopGas ? Arch::kNopGas : Arch::kNopClang;
  if (site == Site::kRedirect)
    return Arch::encode_jump(ip, redirect_at_site(module->first_id + index)->jump);
  uint64_t thunk = thunk_address(module, index, kind_of(site));
  return jumps_to_thunk(site) ? Arch::encode_jump(ip, thunk) : Arch::encode_call(ip, thunk);
}

Site site_of_role(Role role) {
  switch (role) {
  case Role::kFunction:
    return Site::kFunction;
  case Role::kGraph:
    return Site::kGraph;
  case Role::kProfile:
    return Site::kProfile;
  case Role::kCallback:
    break;
  }
  return Site::kOps;
}

// What the registered ops want of one function.
struct Wanted {
  uint32_t count = 0;
  uint32_t callbacks = 0;
  bool registers = false;
  bool exits = false;
  bool modifies = false;
  Site tracer = Site::kOff;
  const ftrace_ops *last = nullptr;

  Site site() const {
    if (exits)
      return Site::kOpsExit;
    if (callbacks)
      return registers ? Site::kOpsRegs : Site::kOps;
    return tracer;
  }
};

Wanted wanted_of(uint32_t id) {
  Wanted wanted;
  for (const ftrace_ops *ops = registered_ops(); ops; ops = ops->next) {
    if (!ops_has(ops, id))
      continue;
    wanted.count++;
    wanted.last = ops;
    if (ops->state->role == Role::kCallback) {
      wanted.callbacks++;
      wanted.registers |= (ops->flags & FTRACE_OPS_FL_SAVE_REGS) != 0;
      wanted.exits |= ops->state->exit_bytes != 0;
      wanted.modifies |= (ops->flags & (FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_DIRECT)) != 0;
    } else {
      wanted.tracer = site_of_role(ops->state->role);
    }
  }
  return wanted;
}

// A site that has one ops calls that, unless it must be asked where the function continues.
Call *call_of(const Wanted &wanted) {
  bool is_alone = wanted.count == 1 && !(wanted.last->flags & FTRACE_OPS_FL_DIRECT);
  return is_alone ? wanted.last->state->call : list_call();
}

// Records that the site of function `id` is `to` now.
void settle(Records::Record record, uint32_t id, Site to) {
  uint32_t flags = record.flags & ~(kFtraceEnabled | kFtraceRegsEn);
  uint32_t state = record.state & ~kStateSite;
  if (to == Site::kOff) {
    drop_call(id);
  } else {
    bool has_registers = to == Site::kOpsRegs || to == Site::kOpsExit;
    flags |= kFtraceEnabled | (has_registers && flags & kFtraceRegs ? kFtraceRegsEn : 0);
    state |= kStateTouched | (uint32_t)to << kStateSiteShift;
  }
  record.flags = flags;
  record.state = (uint8_t)state;
}

// Records that it holds foreign bytes. A call of ours may be under a breakpoint: it calls nobody.
void give_up(Records::Record record, uint32_t id) {
  drop_call(id);
  auto [ip, flags, state] = record;
  state = (uint8_t)((state & ~kStateSite) | kStateDisabled);
  flags = 0;
}

// A kept call needs no batch: what it does is a word in a table.
Status set_kept(Module *module, uint32_t index, Site to) {
  bool jumps = jumps_to_thunk(to) || to == Site::kRedirect;
  uint64_t target = 0;
  if (to == Site::kRedirect)
    target = redirect_at_site(module->first_id + index)->jump;
  else if (to != Site::kOff)
    target = thunk_address(module, index, kind_of(to));
  NOPHOOK_TRY(set_call_target(module, index, target, jumps));
  settle(module->records.at(index), module->first_id + index, to);
  return {};
}

// A call that becomes a jump, or the other way round, where no single store does it: who stays
// registered loses no call if there is a thunk that serves both.
Status find_between(Module *module, uint32_t index, uint64_t ip, Site from, Site to,
                    PokeSite *site) {
  bool begins = calls_back(from) && jumps_to_thunk(to),
       ends = jumps_to_thunk(from) && calls_back(to);
  if (!(begins || ends) || poke_way(ip) == PokeWay::kStore)
    return {};
  SiteKind jump_kind = kind_of(begins ? to : from);
  NOPHOOK_TRY(make_between(module, jump_kind));
  uint64_t thunk = between_thunk(module, index, jump_kind);
  if (!thunk)
    return {};
  constexpr uint64_t kInner = 0xffffff00;
  uint64_t via = Arch::encode_jump(ip, thunk);
  site->via = via >> 32;
  site->has_via = !((via ^ site->from) & kInner) && !((via ^ site->to) & kInner);
  return {};
}

Status need_island(Module *module, SiteKind kind) {
  return module->thunks[(int)kind] ? Status{} : make_island(module, kind);
}

// Step one and the comparison, for one function.
Status count_one(Module *module, uint32_t index, const Wanted &wanted, Scratch &work) {
  auto [ip, flags, state] = module->records.at(index);
  if (state & kStateDisabled)
    return {};
  bool is_redirected = work.any_redirects && redirect_of(module->first_id + index);
  flags &= kFtraceEnabled | kFtraceRegsEn;
  if (!is_redirected) // else it is retired: nobody counts
    flags |= wanted.count | (wanted.registers ? kFtraceRegs : 0);
  Site from = site_of(state), to = work.enabled ? wanted.site() : Site::kOff;
  if (is_redirected)
    to = Site::kRedirect;
  // What a thread calls that is on its way to callbacks, however late it is. When only a tracer is
  // left it has missed that one's own path.
  if (wanted.callbacks)
    set_call(module->first_id + index, call_of(wanted));
  else if (calls_back(from) && wanted.tracer != Site::kOff)
    set_call(module->first_id + index, list_call());
  else if (!calls_back(from))
    drop_call(module->first_id + index);
  if (wanted.modifies || is_redirected)
    state |= kStateModified;
  if (calls_back(to) && jumps_to_thunk(wanted.tracer)) // ftrace_ops_list_func leads to its thunk
    NOPHOOK_TRY(need_island(module, kind_of(wanted.tracer)));
  if (from == to)
    return {};
  if (to != Site::kOff && to != Site::kRedirect)
    NOPHOOK_TRY(need_island(module, kind_of(to)));
  if (state & kStateCall)
    return set_kept(module, index, to);
  PokeSite site = {};
  site.ip = reinterpret_cast<uint8_t *>(ip);
  site.from = insn_of(module, index, ip, from, state);
  site.to = insn_of(module, index, ip, to, state);
  NOPHOOK_TRY(find_between(module, index, ip, from, to, &site));
  work.sites.append(site);
  work.changes.append({module->first_id + index, to});
  return {};
}

// Whether each registered ops wants all of these functions of a word, or none: mostly so.
bool want_the_same(uint32_t word, uint64_t bits) {
  for (const ftrace_ops *ops = registered_ops(); ops; ops = ops->next) {
    uint64_t wanted = hash_word(ops->state->selected, word) & bits;
    if (wanted && wanted != bits)
      return false;
  }
  return true;
}

// As count_one, of functions `bits` of a word, ascending, up to the first one that has had
// callbacks or is no site like others. Only a tracer wants any of them. Returns who is left.
uint64_t count_traced(Module *module, uint32_t word, uint64_t bits, const Wanted &wanted,
                      Records::Walk *records, Scratch &work) {
  const Site to = work.enabled ? wanted.tracer : Site::kOff;
  const uint32_t first = module->first_id;
  if (to != Site::kOff && !module->thunks[(int)kind_of(to)])
    return bits;
  for (; bits; bits &= bits - 1) {
    uint32_t id = word * 64 + (uint32_t)__builtin_ctzll(bits);
    auto [ip, flags, state] = records->at(id - first);
    Site from = site_of(state);
    if (state & (kStateDisabled | kStateCall) || calls_back(from))
      return bits;
    drop_call(id);
    flags = (flags & (kFtraceEnabled | kFtraceRegsEn)) | wanted.count;
    if (from == to)
      continue;
    PokeSite site = {};
    site.ip = reinterpret_cast<uint8_t *>(ip);
    site.from = insn_of(module, id - first, ip, from, state);
    site.to = insn_of(module, id - first, ip, to, state);
    work.sites.append(site);
    work.changes.append({id, to});
  }
  return 0;
}

Status count_word(Module *module, uint32_t word, uint64_t bits, Records::Walk *records,
                  Scratch &work) {
  Wanted wanted;
  const bool same = want_the_same(word, bits);
  for (bool is_known = false; bits; bits &= bits - 1) {
    uint32_t id = word * 64 + (uint32_t)__builtin_ctzll(bits);
    if (!is_known)
      wanted = wanted_of(id);
    is_known = same;
    if (same && !wanted.callbacks && !work.any_redirects) {
      bits = count_traced(module, word, bits, wanted, records, work);
      if (!bits)
        break;
      id = word * 64 + (uint32_t)__builtin_ctzll(bits);
    }
    NOPHOOK_TRY(count_one(module, id - module->first_id, wanted, work));
  }
  return {};
}

Status count_module(Module *module, const FtraceHash *dirty, Scratch &work) {
  const uint32_t first = module->first_id, last = first + module->records.count() - 1;
  Records::Walk records(module->records);
  for (uint32_t word = first / 64; word <= last / 64; word++) {
    uint64_t bits = hash_word(dirty, word);
    if (word == first / 64)
      bits &= ~uint64_t{0} << first % 64;
    if (word == last / 64)
      bits &= ~uint64_t{0} >> (63 - last % 64);
    if (bits)
      NOPHOOK_TRY(count_word(module, word, bits, &records, work));
  }
  return {};
}

// Room for a change of each.
Status make_room(const FtraceHash *dirty, Scratch &work) {
  uint64_t count = 0;
  for (uint32_t word = 0; word < dirty->ids / 64; word++)
    count += (uint64_t)__builtin_popcountll(dirty->words[word]);
  work.sites.clear();
  work.changes.clear();
  if (!work.sites.reserve(count) || !work.changes.reserve(count))
    return failure(ENOMEM, "no memory for a batch");
  return {};
}

// The loaded modules that have sites, by address: so the batch is sorted as it is collected.
Status sort_modules(Array<Module *> *modules) {
  modules->clear();
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded && m->records.count() && !modules->push(m))
      return failure(ENOMEM, "no memory for a batch");
  sort(modules->data(), modules->size(), [](Module *a, Module *b) { return a->start < b->start; });
  return {};
}

void settle_all(Scratch &work, uint64_t foreign) {
  for (uint64_t i = 0; Module *module : work.modules) {
    Records::Walk records(module->records);
    for (; i < work.changes.size(); i++) {
      auto [id, to] = work.changes[i];
      if (id - module->first_id >= module->records.count())
        break;
      Records::Record record = records.at(id - module->first_id);
      if (foreign && work.sites[i].failed)
        give_up(record, id);
      else
        settle(record, id, to);
    }
  }
}

} // namespace

Status update_sites(const FtraceHash *dirty) {
  Scratch &work = scratch();
  NOPHOOK_TRY(make_room(dirty, work));
  work.enabled = ftrace_is_enabled();
  work.any_redirects = any_redirects();
  NOPHOOK_TRY(sort_modules(&work.modules));
  for (Module *m : work.modules)
    NOPHOOK_TRY(count_module(m, dirty, work));
  uint64_t foreign = 0;
  NOPHOOK_TRY(text_poke_batch(work.sites.data(), work.sites.size(), &foreign));
  settle_all(work, foreign);
  if (foreign) {
    LogText line;
    log_line(
        line.number(foreign).add(" functions hold foreign code at their entry and are left alone"));
  }
  return {};
}

} // namespace nophook
