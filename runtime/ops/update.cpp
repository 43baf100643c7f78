// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the ops that want a function, derives the site's wanted state, and makes the batch that
// brings it about.
//
// The record keeps the present state of a site. So the bytes that it must have are known, and the
// batch compares them before it writes.

#include "ops/update.h"

#include "arch/arch.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/safe_read.h"
#include "ops/call.h"
#include "ops/changes.h"
#include "ops/ops.h"
#include "ops/redirect.h"
#include "ops/static_calls.h"
#include "poke/island.h"
#include "poke/poke.h"
#include "poke/trap.h"
#include "sites/symbols.h"

#include <errno.h>

namespace nophook {
namespace {

// The kind of the thunk that a site leads to. A site that leads to none has the first kind, which
// is not looked at.
constexpr SiteKind kNoKind = (SiteKind)kSiteKinds;
constexpr SiteKind kind_of(Site site) {
  switch (site) {
  case Site::kOff:
  case Site::kForeign:
  case Site::kRedirect:
  case Site::kFunction:
    return SiteKind::kCall;
  case Site::kGraph:
    return SiteKind::kJump;
  case Site::kOps:
    return SiteKind::kOps;
  case Site::kOpsRegs:
    return SiteKind::kOpsRegs;
  case Site::kOpsExit:
    return SiteKind::kOpsExit;
  case Site::kProfile:
    return SiteKind::kProfile;
  case Site::kHits:
    return SiteKind::kHits;
  }
  return kNoKind;
}
// The compiler asks for a case of each, so a Site behind the last one is found here.
static_assert(kind_of((Site)(kSites - 1)) != kNoKind && kind_of((Site)kSites) == kNoKind);

uint64_t insn_of(const Module *module, uint32_t index, uint64_t ip, Site site, SiteState state) {
  if (site == Site::kOff)
    return nop_of(state);
  if (site == Site::kRedirect)
    return Arch::encode_jump(ip, redirect_at_site(module->first_id + index)->jump);
  uint64_t thunk = thunk_address(module, index, kind_of(site));
  return Arch::encode_branch(jumps_to_thunk(site), ip, thunk);
}

Site site_of_role(Role role) {
  switch (role) {
  case Role::kFunction:
    return Site::kFunction;
  case Role::kGraph:
    return Site::kGraph;
  case Role::kProfile:
    return Site::kProfile;
  case Role::kHits:
    return Site::kHits;
  case Role::kCallback:
    break;
  }
  return Site::kOps;
}

// The wishes of the registered ops about one function.
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

// The call of a site. A site with one ops calls that, unless the ops must be asked where the
// function continues.
Call *call_of(const Wanted &wanted) {
  bool is_alone = wanted.count == 1 && !(wanted.last->flags & FTRACE_OPS_FL_DIRECT);
  return is_alone ? wanted.last->state->call : list_call();
}

// Sets a static call, which needs no batch: its target is a word in a table.
Status set_kept(Module *module, uint32_t index, Site to) {
  bool jumps = jumps_to_thunk(to) || to == Site::kRedirect;
  uint64_t target = 0;
  if (to == Site::kRedirect)
    target = redirect_at_site(module->first_id + index)->jump;
  else if (to != Site::kOff)
    target = thunk_address(module, index, kind_of(to));
  NOPHOOK_TRY(set_call_target(module, index, target, jumps));
  set_site(module->records.at(index), to);
  if (to == Site::kOff)
    drop_call(module->first_id + index);
  return {};
}

// Whether the site is a call whose thunk leads, or may lead, to callbacks. While other callbacks
// come or go, these see the calls that the fast path of function, or of hits, would see.
bool may_call_back(Site site, Site other) {
  return (calls_back(site) && !jumps_to_thunk(site)) ||
         ((site == Site::kFunction || site == Site::kHits) && other == Site::kOpsExit);
}

// Finds the thunk for a call that becomes a jump, or a jump that becomes a call, if no single store
// can change the site. A callback that stays registered then misses no call, provided that there is
// a thunk which serves both.
Status find_between(Module *module, uint32_t index, uint64_t ip, Site from, Site to,
                    PokeSite *site) {
  bool begins = may_call_back(from, to) && jumps_to_thunk(to),
       ends = jumps_to_thunk(from) && may_call_back(to, from);
  if (!(begins || ends) || poke_way(ip) == PokeWay::kStore)
    return {};
  SiteKind jump_kind = kind_of(begins ? to : from);
  NOPHOOK_TRY(make_between(module, jump_kind));
  uint64_t thunk = between_thunk(module, index, jump_kind);
  if (!thunk)
    return {};
  uint64_t via = Arch::encode_jump(ip, thunk);
  if (!((via ^ site->from()) & Arch::kInnerMask) && !((via ^ site->to()) & Arch::kInnerMask))
    site->set_via((uint8_t)(via >> Arch::kLastShift));
  return {};
}

Status need_island(Module *module, SiteKind kind) {
  return module->thunks[(int)kind] ? Status{} : make_island(module, kind);
}

// Makes step one and the comparison for one function.
Status count_one(Module *module, uint32_t index, const Wanted &wanted, Changes &work) {
  Records::Record record = module->records.at(index);
  auto [ip, flags, state] = record;
  if (is_foreign(state)) {
    if (!is_nop_again(ip, state))
      return {};
    state &= (SiteState)~kStateSite;
  }
  bool is_redirected = work.any_redirects && redirect_of(module->first_id + index);
  flags &= kFtraceEnabled | kFtraceRegsEn;
  if (!is_redirected) // else the function is retired: no ops is counted
    flags |= wanted.count | (wanted.registers ? kFtraceRegs : 0);
  Site from = site_of(state), to = work.enabled ? wanted.site() : Site::kOff;
  if (is_redirected)
    to = Site::kRedirect;
  // The call for a thread that is on its way to callbacks, however late it is. If only a tracer is
  // left, such a thread has missed the tracer's own path.
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
  PokeSite site(ip, insn_of(module, index, ip, from, state), insn_of(module, index, ip, to, state));
  NOPHOOK_TRY(find_between(module, index, ip, from, to, &site));
  work.add(record, module->first_id + index, to, site);
  return {};
}

// Whether each registered ops wants all of these functions of a word, or none, as is usual.
bool want_the_same(uint32_t word, uint64_t bits) {
  for (const ftrace_ops *ops = registered_ops(); ops; ops = ops->next) {
    uint64_t wanted = hash_word(ops->state->selected, word) & bits;
    if (wanted && wanted != bits)
      return false;
  }
  return true;
}

// Does the same as count_one for the functions `bits` of a word, ascending, up to the first one
// that is no NOP or branch of the one tracer. Only a tracer wants any of them. Returns the
// functions that are left. A large change spends its time here and in the text: this loop must fit
// into the registers.
[[gnu::noinline]] uint64_t count_traced(Module *module, uint32_t word, uint64_t bits,
                                        const Wanted &wanted, Records::Walk *walk, Changes &work) {
  const Site to = work.enabled ? wanted.tracer : Site::kOff;
  const bool to_off = to == Site::kOff;
  const uint32_t first = word * 64 - module->first_id;
  Records::Walk records = *walk;
  const Site tracer =
      to_off ? site_of(records.at(first + (uint32_t)__builtin_ctzll(bits)).state) : to;
  const Site from = to_off ? tracer : Site::kOff;
  if (calls_back(tracer) || tracer == Site::kRedirect || tracer == Site::kForeign ||
      !module->thunks[(int)kind_of(tracer)])
    return bits;
  const uint64_t thunks = module->thunks[(int)kind_of(tracer)];
  const bool jumps = jumps_to_thunk(tracer), drops = nophook_calls;
  const uint32_t then = wanted.count | (to_off ? 0 : kFtraceEnabled);
  const auto then_state = (SiteState)(to_off ? 0 : kStateTouched | (int)to << kStateSiteShift);
  PokeSite *site = work.sites.end();
  Change *change = work.changes.end();
  for (; bits; bits &= bits - 1) {
    const uint32_t index = first + (uint32_t)__builtin_ctzll(bits);
    auto [ip, flags, state] = records.at(index);
    const SiteState before = state;
    const Site now = site_of(before);
    if (before & kStateCall || (now != from && now != to))
      break;
    if (drops)
      drop_call(module->first_id + index);
    flags = then;
    if (now == to)
      continue;
    const uint64_t thunk = thunks + (uint64_t)index * Arch::kThunkBytes;
    const uint64_t nop = nop_of(before);
    const uint64_t branch = Arch::encode_branch(jumps, ip, thunk);
    *site++ = to_off ? PokeSite(ip, branch, nop) : PokeSite(ip, nop, branch);
    *change++ = {module->first_id + index, from, to_off, false, before};
    state = (SiteState)((before & ~kStateSite) | then_state);
  }
  work.sites.shrink((uint64_t)(site - work.sites.begin()));
  work.changes.shrink((uint64_t)(change - work.changes.begin()));
  *walk = records;
  return bits;
}

Status count_word(Module *module, uint32_t word, uint64_t bits, Records::Walk *records,
                  Changes &work) {
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

Status count_module(Module *module, const FtraceHash *dirty, Changes &work) {
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

Status count_all(const FtraceHash *dirty, Changes &work) {
  for (Module *m : work.modules)
    NOPHOOK_TRY(count_module(m, dirty, work));
  return {};
}

void report(const Failures &failures) {
  LogText line;
  if (failures.foreign)
    line.number(failures.foreign)
        .add(" functions hold foreign code at their entry and are left alone while it is there");
  else
    line.number(failures.restored)
        .add(" functions had foreign code at their entry, which has gone: calls were missed");
  log_line(line.add(" (a breakpoint or uprobe; ")
               .add(name_of_function(failures.first).c_str())
               .add(failures.foreign + failures.restored > 1 ? ", ...)" : ")"));
}

Status update_once(const FtraceHash *dirty, Failures *failures) {
  Changes &work = begin_changes();
  NOPHOOK_TRY(work.make_room(dirty));
  work.enabled = ftrace_is_enabled();
  work.any_redirects = any_redirects();
  uint64_t foreign = 0;
  Status status = count_all(dirty, work);
  if (status.ok())
    status = text_poke_batch(work.sites.data(), work.sites.size(), &foreign, take_changes_back);
  if (!status.ok()) {
    take_changes_back();
    return status;
  }
  *failures = finish_changes(foreign);
  return {};
}

struct Looked {
  FtraceHash *dirty;
  Failures gone, taken; // sites whose probe is gone, and sites that a probe has taken
};

// Looks at one site. A site that holds an int3 keeps its state, since a debugger may have set it
// and will restore our call. A probe that the kernel has made a call of leaves a NOP.
void look_at(Module *module, uint32_t index, Looked *looked) {
  Records::Record record = module->records.at(index);
  const uint32_t id = module->first_id + index;
  const bool is_left = is_foreign(record.state);
  const Site site = site_of(record.state);
  if (record.state & kStateCall || !(is_left || record.flags & kFtraceEnabled))
    return;
  if (is_nop_again(record.ip, record.state)) {
    set_site(record, Site::kOff);
    hash_set(looked->dirty, id, true);
    looked->gone.restored++;
    looked->gone.first = id;
  } else if (!is_left &&
             is_taken_by_probe(record.ip, insn_of(module, index, record.ip, site, record.state))) {
    give_up(record, id);
    looked->taken.foreign++;
    looked->taken.first = id;
  }
}

// Looks at ids from `from` on, `most` of them; returns the first one that is left.
uint32_t look_at_some(uint32_t from, uint32_t most, Looked *looked) {
  uint32_t next = id_limit();
  for (Module *m = first_module(); m; m = m->next) {
    const uint32_t end = m->first_id + m->records.count();
    uint32_t id = from > m->first_id ? from : m->first_id;
    for (; m->loaded && id < end && id - from < most; id++)
      look_at(m, id - m->first_id, looked);
    if (m->loaded && id < end && id < next)
      next = id;
  }
  return next;
}

// Restores some sites. Ids are not dense: those of an unloaded library are skipped.
Status restore_some(uint32_t *from, uint32_t most) {
  FtraceHash *dirty = new_hash(id_limit());
  if (!dirty)
    return failure(ENOMEM, "no memory for a set of functions");
  Looked looked = {dirty, {}, {}};
  *from = look_at_some(*from, most, &looked);
  if (looked.taken.foreign)
    report(looked.taken);
  Status status;
  if (looked.gone.restored) {
    report(looked.gone);
    status = update_sites(dirty);
  }
  free_hash(dirty);
  return status;
}

} // namespace

void report_lost_sites(Module *module) {
  Failures kinds[2] = {};
  auto &[gone, taken] = kinds;
  uint64_t readable = 0; // the page that is known to be readable
  module->records.each([&](uint32_t index, uint64_t ip, uint32_t &flags, SiteState &state) {
    if (!(flags & kFtraceEnabled) || state & kStateCall || is_foreign(state))
      return;
    const uint64_t ends[2] = {ip, ip + Arch::kSiteBytes - 1};
    for (uint64_t at : ends) {
      if (readable != round_down(at, kPageBytes) && !is_readable_now(at))
        return;
      readable = round_down(at, kPageBytes);
    }
    const uint64_t found = Arch::read_insn(reinterpret_cast<const uint8_t *>(ip));
    if (found == insn_of(module, index, ip, site_of(state), state))
      return;
    Failures &lost = Arch::is_nop_insn(found) ? gone : taken;
    (Arch::is_nop_insn(found) ? lost.restored : lost.foreign)++;
    lost.first = module->first_id + index;
  });
  for (const Failures &lost : kinds)
    if (lost.foreign || lost.restored)
      report(lost);
}

Status restore_sites() {
  uint32_t from = 0;
  return restore_some(&from, id_limit());
}

bool restore_next_sites(uint32_t most) {
  static uint32_t from = 0;
  RuntimeLock lock;
  if (!registered_ops())
    return false;
  if (from >= id_limit())
    from = 0;
  (void)restore_some(&from, most).ok(); // the next look, or change, tries again
  return true;
}

Status update_sites(const FtraceHash *dirty) {
  Failures failures = {};
  NOPHOOK_TRY(update_once(dirty, &failures));
  if (failures.foreign || failures.restored)
    report(failures);
  if (!failures.again)
    return {};
  Failures more = {}; // failures of a probe that comes now
  Status status = update_once(dirty, &more);
  if (more.foreign)
    report(more);
  return status;
}

} // namespace nophook
