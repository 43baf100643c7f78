// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The batch protocol. The bytes that another thread may see at each step:
//
//                         store          skip                    trap
//      before             old            old                     old
//      1 heads opened     old | new      old | jmp +3            old | int3 (emulated as new)
//        core sync        new            jmp +3                  int3
//      2 tails                           jmp +3 (tail unseen)    int3 (tail unseen)
//        core sync
//      3 heads closed                    jmp +3 | new            int3 | new
//        core sync                       new                     new
//
// By steps (a call becomes a jump, or the other way round) nothing is ever a NOP: 1 last byte: the
// old kind of branch, to the thunk that serves both; 2 first byte: the new kind, to the same; 3
// last byte.
//
// `jmp +3` is a NOP in two bytes: while it stands there the function is untraced.
// The site is one instruction before and after, so no thread is ever between its bytes.
// A step that fails is taken back by the same steps with old and new exchanged.

#include "poke/batch.h"

#include "arch/arch.h"
#include "base/mappings.h"
#include "base/memory.h"
#include "poke/sync_text.h"
#include "poke/threads.h"
#include "poke/trap.h"
#include "poke/words.h"

#include <linux/membarrier.h>
#include <sys/mman.h>

void (*nophook_poke_stop)(int step) = nullptr;

namespace nophook {

bool is_uprobe_call(uint64_t address, uint64_t found) {
  const uint64_t target = Arch::target_of(address, found);
  if (!Arch::is_call_insn(found) || target % kPageBytes != 0)
    return false;
  Mapping page;
  Mappings mappings;
  Mappings::Answer answer = mappings.find(target, &page);
  return answer == Mappings::Answer::kUnknown ||
         (answer == Mappings::Answer::kFound && page.start == target &&
          page.end == target + kPageBytes && page.prot == (PROT_READ | PROT_EXEC));
}

namespace {

// Returns when every running thread of the process has executed a full barrier and a serialising
// instruction since the call; the other threads will before they run again. False: the kernel,
// which let us register, refuses it now (a seccomp filter), and the process has other threads.
[[nodiscard]] bool sync_threads() {
  return !sys_failed(sys(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0)) ||
         single_threaded();
}

// Makes the written bytes visible: if it returns true, every thread finds them at the sites from
// then on.
[[nodiscard]] bool core_sync(const Batch &b) {
  sync_sites(b.sites, b.count);
  return sync_threads();
}

void at(PokeStep step) {
  if (nophook_poke_stop)
    nophook_poke_stop(step);
}

bool holds(const PokeSite &site, uint64_t insn) {
  return Arch::read_insn(site.ip()) == insn;
}

bool open_head(Batch &b, const PokeSite &s) {
  if (s.way() == PokeWay::kSteps)
    return b.text.write8(s.ip() + Arch::kSiteBytes - 1, s.via());
  return s.way() == PokeWay::kSkip ? b.text.write16(s.ip(), Arch::kSkipHead)
                                   : b.text.write8(s.ip(), Arch::kTrap);
}

// The number of bytes of an instruction that open_head() overwrites.
unsigned head_bytes(const PokeSite &s) {
  return s.way() == PokeWay::kSkip ? Arch::kSkipBytes : Arch::kTrapBytes;
}

// Whether the bytes that write_tail() would write are there already.
bool has_tail(const PokeSite &s, uint64_t insn) {
  uint64_t differing = Arch::read_insn(s.ip()) ^ insn;
  if (s.way() == PokeWay::kSteps)
    return !(differing & 0xff);
  return !(differing >> 8 * head_bytes(s));
}

bool write_tail(Batch &b, const PokeSite &s, uint64_t insn) {
  if (s.way() == PokeWay::kSteps)
    return b.text.write8(s.ip(), (uint8_t)insn);
  return b.text.write_tail(s.ip(), insn, head_bytes(s));
}

void open_heads(Batch &b) {
  for (uint64_t i = 0; i < b.count && !b.refused; i++) {
    PokeSite &s = b.sites[i];
    if (i + kPrefetchSites < b.count)
      Arch::prefetch_for_write(b.sites[i + kPrefetchSites].ip());
    if (s.failed())
      continue;
    if (!holds(s, s.from())) {
      s.set_failed(true);
      if (s.way() == PokeWay::kTrap)
        trap_forget(s.ip());
      continue;
    }
    b.started = i + 1;
    if (s.way() == PokeWay::kStore)
      b.refused = !b.text.store_insn(s.ip(), s.from(), s.to());
    else
      b.refused = !open_head(b, s);
  }
}

void write_tails(Batch &b) {
  for (uint64_t i = 0; i < b.count && !b.refused; i++) {
    PokeSite &s = b.sites[i];
    if (s.way() != PokeWay::kStore && !s.failed())
      b.refused = !write_tail(b, s, s.to());
  }
}

bool close_head(Batch &b, const PokeSite &s, uint64_t insn) {
  if (s.way() == PokeWay::kSteps)
    return b.text.write8(s.ip() + Arch::kSiteBytes - 1, (uint8_t)(insn >> Arch::kLastShift));
  return s.way() == PokeWay::kSkip ? b.text.write16(s.ip(), (uint16_t)insn)
                                   : b.text.write8(s.ip(), (uint8_t)insn);
}

void close_heads(Batch &b) {
  for (uint64_t i = 0; i < b.count && !b.refused; i++) {
    PokeSite &s = b.sites[i];
    if (s.way() != PokeWay::kStore && !s.failed())
      b.refused = !close_head(b, s, s.to());
  }
}

void write_protocol(Batch &b) {
  // A thread only fetches the site and then loads the data that the site leads to; the fetch orders
  // no load (docs/design/memory_order.md). Where a site is opened first, that is followed by a
  // sync.
  if (Arch::kStoresOnly && !sync_threads()) {
    b.unsynced = true;
    return;
  }
  if (b.words) {
    store_words(b.sites, b.count);
    b.started = b.count;
  } else {
    open_heads(b);
  }
  at(kPokeHeads);
  b.unsynced = !core_sync(b); // heads alone can be taken back without
  if (b.ways[(int)PokeWay::kStore] == b.count || b.refused || b.unsynced)
    return;
  write_tails(b);
  at(kPokeTails);
  b.unsynced = !core_sync(b);
  if (b.refused || b.unsynced)
    return;
  close_heads(b);
  at(kPokeClosed);
  b.unsynced = !core_sync(b);
}

void write_alone(Batch &b) {
  for (uint64_t i = 0; i < b.count && !b.refused; i++) {
    PokeSite &s = b.sites[i];
    s.set_failed(s.failed() || !holds(s, s.from()));
    b.started = i + 1;
    if (!s.failed())
      b.refused = !b.text.write_tail(s.ip(), s.to(), 0);
  }
  sync_sites(b.sites, b.count);
  at(kPokeClosed);
}

// Whether another tool has set a breakpoint on an instruction of ours. Since Linux 6.18 a uprobe
// may become a call of the kernel's when it is hit, and the file's NOP when it is removed.
bool is_broken(uint64_t address, uint64_t found, uint64_t insn) {
  return Arch::is_trapped(found, insn) || Arch::is_nop_insn(found) ||
         is_uprobe_call(address, found);
}

// Prepares a site whose call becomes a NOP under a uprobe's int3. When the probe goes, the kernel
// takes the first byte from the file; the rest must fit it by then. A debugger restores the bytes
// that it has found, so nothing is changed while one is attached. The kernel may store at the same
// time: hence one store.
void mend_tail(const Batch &b, const PokeSite &s) {
  const uint64_t shift = s.address() % 8 * 8;
  auto *word = reinterpret_cast<uint64_t *>(s.address() - s.address() % 8);
  uint64_t value = __atomic_load_n(word, __ATOMIC_RELAXED);
  const uint64_t found = value >> shift & Arch::kInsnMask;
  if (shift > 8 * (8 - Arch::kSiteBytes) || !b.text.direct() ||
      !Arch::is_trapped(found, s.from()) || debugger_attached())
    return;
  const uint64_t tail = (s.from() ^ s.to()) & ~uint64_t{0} << 8 * Arch::kTrapBytes;
  __atomic_compare_exchange_n(word, &value, value ^ tail << shift, false, __ATOMIC_RELEASE,
                              __ATOMIC_RELAXED);
}

// Checks that sites hold the written bytes. A site with a breakpoint is shared with another tool;
// any other bytes mean that the records can no longer be trusted (docs/design/text_poke.md).
void read_back(Batch &b) {
  if (b.words && hold_words(b.sites, b.count))
    return;
  for (uint64_t i = 0; i < b.count; i++) {
    PokeSite &s = b.sites[i];
    if (!s.failed() && holds(s, s.to()))
      continue;
    b.failed++;
    if (s.failed()) {
      if (Arch::is_nop_insn(s.to()) && !b.text.is_gone(s.address()))
        mend_tail(b, s);
      continue;
    }
    uint64_t found = Arch::read_insn(s.ip());
    s.set_failed(true);
    if (is_broken(s.address(), found, s.to()) || b.damaged)
      continue;
    b.damaged = true;
    b.damage.add("the site at ").hex(s.address()).add(" was written ");
    b.damage.hex(s.to()).add(" and holds ").hex(found);
  }
}

// Takes the three steps again, backwards. The bytes of a site show its step; a site whose bytes are
// none of ours is left alone. Where the kernel refuses a sync, an open head stays open, which is a
// NOP for all threads, unless its tail is what it was before.
void roll_back(Batch &b) {
  trap_undo();
  at(kPokeUndoing);
  for (uint64_t i = 0; i < b.started; i++) {
    PokeSite &s = b.sites[i];
    if (s.failed() || holds(s, s.from()))
      continue;
    if (s.way() == PokeWay::kStore) {
      b.stuck |= !b.text.store_insn(s.ip(), s.to(), s.from());
      continue;
    }
    s.set_open(!holds(s, s.to()) || open_head(b, s));
    b.stuck |= !s.open();
  }
  const bool are_seen_open = core_sync(b);
  bool any_tail = false;
  for (uint64_t i = 0; i < b.started; i++) {
    PokeSite &s = b.sites[i];
    if (!s.open() || has_tail(s, s.from()))
      continue;
    any_tail = true;
    s.set_open(are_seen_open && write_tail(b, s, s.from()));
    b.stuck |= !s.open();
  }
  const bool may_close = !any_tail || core_sync(b);
  for (uint64_t i = 0; i < b.started; i++)
    if (b.sites[i].open())
      b.stuck |= !may_close || !close_head(b, b.sites[i], b.sites[i].from());
  b.unsynced |= !core_sync(b);
}

} // namespace

void change_text(Batch &b, bool alone) {
  at(kPokeOpened);
  if (alone)
    write_alone(b);
  else
    write_protocol(b);
  if (!b.refused && !b.unsynced)
    read_back(b);
  if (b.refused || b.unsynced || b.damaged)
    roll_back(b);
}

} // namespace nophook
