// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text_poke: changes many sites at once while other threads run through them.
//
// docs/design/text_poke.md has the protocol. In short, each site takes the first way that
// its address allows:
//
//   store  its bytes lie in one aligned 8-byte word, or the bytes that differ between one call and
//          another do: one store
//   skip   its first two bytes do: jump over the tail, sync, tail, sync, head
//   steps  a call becomes a jump, or a jump a call, by way of a thunk that serves both: each of
//          three changes is one byte, with a sync behind it
//   trap   neither: int3, sync, tail, sync, head, while a SIGTRAP handler is there
//
// and the whole batch shares three core syncs (membarrier). While a process has one thread,
// plain stores do.

#pragma once

#include "arch/arch.h"
#include "base/status.h"

#include <stdint.h>

namespace nophook {

enum class PokeWay : uint8_t { kStore, kSkip, kTrap, kSteps };
constexpr uint32_t kPokeWays = 4;

// One change, of one instruction of ours to another, first byte lowest. It takes 16 bytes, because
// a batch goes over its sites several times and memory is what that costs.
class PokeSite {
public:
  PokeSite(uint64_t ip, uint64_t from, uint64_t to)
      : ip_(ip), via_(0), way_(0), failed_(0), open_(0), from_head_(Arch::short_head(from)),
        to_head_(Arch::short_head(to)), from_rest_(Arch::rest_of(from)),
        to_rest_(Arch::rest_of(to)) {}

  // Declares that a thunk serves both: `last` is the last byte of a call of it, and of a jump.
  // `from`, `to` and these two instructions differ in the first and last byte alone.
  void set_via(uint8_t last) {
    via_ = last;
    set_way(PokeWay::kSteps);
  }

  uint64_t address() const { return ip_; }
  uint8_t *ip() const { return reinterpret_cast<uint8_t *>(ip_); }
  uint64_t from() const { return Arch::insn_of(from_head_, from_rest_); }
  uint64_t to() const { return Arch::insn_of(to_head_, to_rest_); }
  uint8_t via() const { return via_; }

  // For text_poke_batch() alone: the way in which the site is changed (before: kSteps if there is a
  // via); whether it is not ours to change; whether it is being taken back and holds neither
  // instruction.
  PokeWay way() const { return (PokeWay)way_; }
  bool failed() const { return failed_; }
  bool open() const { return open_; }
  void set_way(PokeWay way) { way_ = (uint64_t)way & 3; }
  void set_failed(bool failed) { failed_ = failed; }
  void set_open(bool open) { open_ = open; }

private:
  uint64_t ip_ : 48;
  uint64_t via_ : 8;
  uint64_t way_ : 2;
  uint64_t failed_ : 1;
  uint64_t open_ : 1;
  uint64_t from_head_ : 2;
  uint64_t to_head_ : 2;
  uint32_t from_rest_;
  uint32_t to_rest_;
};
static_assert(sizeof(PokeSite) == 16);

// The way in which a site at `ip` is changed by default, or the `preferred` way if the site allows
// it. Pure.
PokeWay poke_way(uint64_t ip, PokeWay preferred = PokeWay::kStore);

// Whether at most one aligned 8-byte store changes `from` at `ip` into `to`. Pure.
bool changes_one_word(uint64_t ip, uint64_t from, uint64_t to);

// Selects the way for all sites that allow it (NOPHOOK_POKE).
void set_preferred_way(PokeWay way);

// Registers the process for core syncs. While there is one thread, that costs 5 us; once threads
// run, 15 ms. A runtime that comes later leaves it to a thread of its own, or to the first change.
// When it has worked, another call does nothing.
void register_core_sync();

// Changes `count` sites, sorted by address, none twice. Hold the runtime's lock.
//
// A site is left alone, marked `failed` and counted in `*failed` if it holds other bytes than
// `from`, if another tool put a breakpoint on it during the batch, or if it would have been enabled
// by a trap that a thread which blocks SIGTRAP would not survive.
//
// Errors: EPERM (the text cannot be made writable), ENOSYS (threads run and the kernel offers
// no core sync), EBUSY (a site needs a trap and a debugger is attached, or a thread that blocks
// SIGTRAP would meet one), ENOMEM, EIO (the kernel took one write and refused another, or what
// was written did not stay), ENODEV (the kill switch has been tripped, kill_switch.h). On an
// error each site is what it was before, but EIO may trip the kill switch: then all are NOPs.
//
// `taken_back` is called before the kill switch looks at the records: the text is as it was.
Status text_poke_batch(PokeSite *sites, uint64_t count, uint64_t *failed = nullptr,
                       void (*taken_back)() = nullptr);

// Whether `found`, at a site, is a call that the kernel has made of a uprobe. It leads to the first
// byte of a page of its own. Any other call that is not ours is damage.
bool is_uprobe_call(uint64_t address, uint64_t found);

// Every batch fails with EBUSY from now on, for this static reason. Start-up only.
void refuse_pokes(const char *reason);

// The steps of a batch. Tests stop there.
enum PokeStep {
  kPokeOpened,  // text is writable, nothing is written
  kPokeHeads,   // sites are open or done
  kPokeTails,   // tails are written
  kPokeClosed,  // everything is written, nothing is read back
  kPokeUndoing, // a failure is being rolled back
};

} // namespace nophook

// Called at each step of a batch by its thread, if it is set; for tests.
extern "C" void (*nophook_poke_stop)(int step);

// Called by a thread in the SIGTRAP handler, if it is set: 0 before it looks for its site, 1 after
// it has found none; for tests.
extern "C" void (*nophook_trap_stop)(int has_looked);
