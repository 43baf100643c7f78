// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides how a batch is done: the way in which each site is changed, whether that needs core syncs
// and traps, whether the process can have them, and the consequence of a failure.

#include "poke/poke.h"

#include "arch/arch.h"
#include "base/signals.h"
#include "poke/batch.h"
#include "poke/kill_switch.h"
#include "poke/threads.h"
#include "poke/trap.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <signal.h>

namespace nophook {

static PokeWay g_preferred = PokeWay::kStore;
static bool g_core_sync = false;
static const char *g_refusal = nullptr;

void set_preferred_way(PokeWay way) {
  g_preferred = way;
}

void refuse_pokes(const char *reason) {
  g_refusal = reason;
}

PokeWay poke_way(uint64_t ip, PokeWay preferred) {
  if (Arch::kStoresOnly)
    return PokeWay::kStore;
  unsigned in_word = ip & 7;
  if (preferred == PokeWay::kStore && in_word + Arch::kSiteBytes <= 8)
    return PokeWay::kStore;
  if (preferred != PokeWay::kTrap && in_word + Arch::kSkipBytes <= 8)
    return PokeWay::kSkip;
  return PokeWay::kTrap;
}

bool changes_one_word(uint64_t ip, uint64_t from, uint64_t to) {
  uint64_t differing = from ^ to;
  if (!differing)
    return true;
  unsigned first = (unsigned)__builtin_ctzll(differing) / 8;
  unsigned last = 7 - (unsigned)__builtin_clzll(differing) / 8;
  return (ip + first) / 8 == (ip + last) / 8;
}

void register_core_sync() {
  if (!g_core_sync)
    g_core_sync =
        !sys_failed(sys(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0));
}

namespace {

// A callback that stays registered while a call becomes another must not miss a call: there is no
// NOP in between if that is possible without int3.
PokeWay way_of(const PokeSite &s, PokeWay preferred) {
  const uint64_t ip = s.address();
  PokeWay way = poke_way(ip, preferred);
  if (way == PokeWay::kStore || preferred == PokeWay::kTrap)
    return way;
  if (Arch::is_branch_insn(s.from()) && Arch::is_branch_insn(s.to()) &&
      changes_one_word(ip, s.from(), s.to()))
    return PokeWay::kStore;
  return s.way() == PokeWay::kSteps ? PokeWay::kSteps : way;
}

// Decides each site's way; counts them. The text is not read yet.
void choose_ways(Batch &b, PokeWay preferred) {
  bool words = true;
  for (uint64_t i = 0; i < b.count; i++)
    words &= poke_way(b.sites[i].address(), preferred) == PokeWay::kStore;
  b.words = words && b.text.direct();
  for (uint64_t &count : b.ways)
    count = 0;
  if (b.words) {
    b.ways[(int)PokeWay::kStore] = b.count; // all sites, which have this way from the start
    return;
  }
  for (uint64_t i = 0; i < b.count; i++) {
    PokeSite &s = b.sites[i];
    s.set_way(way_of(s, preferred));
    b.ways[(int)s.way()]++;
  }
}

// A site that needs int3 stays a NOP if it is one now. If one of these sites is no NOP, the batch
// cannot be done.
Status leave_trap_sites(Batch &b, const char *killed) {
  uint64_t left = 0;
  for (uint64_t i = 0; i < b.count; i++) {
    PokeSite &s = b.sites[i];
    if (s.way() != PokeWay::kTrap || s.failed())
      continue;
    if (!Arch::is_nop_insn(s.from())) {
      LogText line;
      log_line(line.add("some sites need int3, which ").add(killed).add(" would not survive"));
      return failure(EBUSY, "some sites need int3, which a thread or a child would not survive");
    }
    s.set_failed(true);
    left++;
  }
  LogText line;
  line.number(left).add(" functions are not traced: their sites need int3, which ").add(killed);
  log_line(line.add(" would not survive"));
  return {};
}

// Checks the conditions of int3: no debugger that takes the trap first, and no thread or child that
// the trap would kill.
Status prepare_traps(Batch &b) {
  if (debugger_attached())
    return failure(EBUSY, "some sites need int3, which the attached debugger would take");
  bool is_inherited;
  NOPHOOK_TRY(trap_install(&is_inherited));
  Status status;
  if (const char *killed = killed_by_traps(is_inherited)) {
    status = leave_trap_sites(b, killed);
  } else {
    for (uint64_t i = 0; i < b.count; i++) {
      PokeSite &s = b.sites[i];
      if (s.way() != PokeWay::kTrap || s.failed())
        continue;
      s.set_failed(Arch::read_insn(s.ip()) != s.from());
      b.traps |= !s.failed();
    }
    if (b.traps)
      status = trap_begin(b.sites, b.count);
  }
  return status;
}

// Whether there is one thread, so that the protocol is not needed.
bool can_write_alone(const Batch &b) {
  return (b.ways[(int)PokeWay::kTrap] || !g_core_sync) && single_threaded();
}

// Adds the text of all sites. Sites that lie close together are in one range, with the text between
// them.
bool add_text(Batch &b) {
  constexpr uint64_t kStep = 32;
  for (uint64_t i = 0; i < b.count; i++) {
    if (i + kStep < b.count && b.text.is_near(b.sites[i + kStep].address()))
      i += kStep;
    if (!b.text.add(b.sites[i].address()))
      return false;
  }
  return true;
}

// Marks sites whose text the program has unmapped as failed.
void leave_gone(Batch &b) {
  if (!b.text.any_gone())
    return;
  for (uint64_t i = 0; i < b.count; i++)
    if (b.text.is_gone(b.sites[i].address()))
      b.sites[i].set_failed(true), b.gone++;
  if (!b.gone)
    return;
  b.words = false; // store_words() ignores whether a site has failed
  LogText line;
  log_line(
      line.number(b.gone).add(" functions are left alone: the program has unmapped their text, or "
                              "taken all rights away from it"));
}

// Changes the text with the signals of this thread blocked. A handler may block SIGTRAP, and int3
// would kill it; or it may fork, and its child could lose our SIGTRAP handler by an exec that
// fails, or by resetting all of them.
void change_while_threads_run(Batch &b) {
  if (!b.traps)
    return change_text(b, false);
  BlockSignals block(kRaisedByCode);
  change_text(b, false);
}

Status run(Batch &b) {
  if (!add_text(b))
    return failure(ENOMEM, "no memory to open text");
  choose_ways(b, g_preferred);
  NOPHOOK_TRY(b.text.open());
  if (!b.text.direct())
    choose_ways(b, PokeWay::kTrap);
  register_core_sync(); // needed in a runtime that was loaded late
  leave_gone(b);
  if (can_write_alone(b)) {
    BlockSignals block; // no handler of this thread may run through a site that is half written
    change_text(b, true);
  } else {
    if (!g_core_sync)
      return failure(ENOSYS, "threads run and the kernel refuses membarrier core syncs");
    if (b.ways[(int)PokeWay::kTrap])
      NOPHOOK_TRY(prepare_traps(b));
    change_while_threads_run(b);
    if (b.traps)
      trap_end(b.stuck);
  }
  if (b.unsynced)
    return failure(ENOSYS, "threads run and the kernel now refuses membarrier core syncs");
  if (b.damaged)
    return failure(EIO, "a site does not hold the bytes that were written to it");
  return b.refused ? failure(EIO, "the kernel refuses to write to text half-way") : Status{};
}

} // namespace

Status text_poke_batch(PokeSite *sites, uint64_t count, uint64_t *failed, void (*taken_back)()) {
  if (count == 0)
    return {};
  if (g_refusal)
    return failure(EBUSY, g_refusal);
  if (kill_reason())
    for (uint64_t i = 0; i < count; i++)
      if (!Arch::is_nop_insn(sites[i].to()))
        return failure(ENODEV, "the kill switch has been tripped");
  Status status;
  LogText why;
  {
    Batch b;
    b.sites = sites;
    b.count = count;
    status = run(b);
    if (failed)
      *failed = b.failed;
    if (b.damaged)
      why = b.damage;
    else if (b.stuck)
      why.add("text that the kernel let us change can be neither finished nor restored");
  }
  if (why.size()) {
    if (taken_back)
      taken_back();
    trip_kill_switch(why);
  }
  return status;
}

} // namespace nophook
