// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract of a CPU with the layers above. They name `Arch` only. A CPU is one folder here that
// satisfies the concept below, and arch/cpu.h selects it.
//
// docs/porting.md explains what each name must do, and which assembly a folder has besides. Two
// checks keep the list whole: scripts/check_layers.py refuses a name of `Arch` that the concept
// does not require, and test/runtime/arch compiles the runtime for a CPU that has these names
// alone.

#pragma once

#include "arch/cpu.h"
#include "arch/relocated.h"

#include <stdint.h>

namespace nophook {

// The runtime is built without C++ headers, so the two concepts of <concepts> that it needs are
// written here.
template <class T, class U>
concept SameAs = __is_same(T, U);

// Instructions of a site, of thunks and around calls. Pure functions: they turn addresses into
// bytes, and read the bytes that they are given.
template <class A>
concept EncodesInsns = requires(uint64_t n, uint32_t id, int8_t steps, bool jumps,
                                const uint8_t *bytes, uint8_t *out) {
  // The geometry of a site.
  requires A::kSiteBytes > 0 && A::kSiteBytes <= 8;
  requires A::kStoresOnly || !A::kStoresOnly;
  requires A::kInsnMask == ~uint64_t{0} >> (64 - 8 * A::kSiteBytes);
  requires A::kLastShift == 8 * (A::kSiteBytes - 1);
  requires(A::kInnerMask & (0xff | uint64_t{0xff} << A::kLastShift)) == 0;
  requires A::kSkipBytes > 0 && A::kSkipBytes < A::kSiteBytes;
  requires A::kTrapBytes > 0 && A::kTrapBytes <= A::kSiteBytes;
  requires A::kThunkBytes > 0 && A::kReachBytes > 0 && A::kLastByteStep >= 4096;
  requires A::kAddressBits <= 48; // PokeSite keeps this many at most
  requires A::kLandingPadBytes < 256 && A::kSitePrefixBytes < 256;
  { A::kSkipHead + 0 } -> SameAs<int>; // two bytes
  { A::kTrap + 0 } -> SameAs<int>;     // one

  // The instruction at a site.
  requires A::kNopClang <= A::kInsnMask &&A::kNopGas <= A::kInsnMask;
  { A::read_insn(bytes) } -> SameAs<uint64_t>;
  { A::short_head(n) } -> SameAs<unsigned>;
  { A::rest_of(n) } -> SameAs<uint32_t>;
  { A::insn_of(unsigned{}, uint32_t{}) } -> SameAs<uint64_t>;
  { A::is_nop_insn(n) } -> SameAs<bool>;
  { A::is_call_insn(n) } -> SameAs<bool>;
  { A::is_branch_insn(n) } -> SameAs<bool>;
  { A::is_trapped(n, n) } -> SameAs<bool>;
  { A::is_trapped_nop(n) } -> SameAs<bool>;
  { A::is_trap(bytes) } -> SameAs<bool>;
  { A::is_site_nop(bytes) } -> SameAs<bool>;
  { A::skip_landing_pad(bytes) } -> SameAs<uint64_t>;
  { A::has_site_prefix(n) } -> SameAs<bool>;
  { A::site_frame(bytes, n) } -> SameAs<SiteFrame>;

  // Branches.
  { A::reaches(n, n) } -> SameAs<bool>;
  { A::encode_jump(n, n) } -> SameAs<uint64_t>;
  { A::encode_branch(jumps, n, n) } -> SameAs<uint64_t>;
  { A::target_of(n, n) } -> SameAs<uint64_t>;
  { A::call_target(n) } -> SameAs<uint64_t>;
  { A::call_slot(n) } -> SameAs<uint64_t>;
  requires A::kCallWindowBytes > 0;
  { A::ends_with_call(bytes) } -> SameAs<bool>;
  { A::code_address(n) } -> SameAs<uint64_t>;

  // Code and words that the runtime writes to memory of its own.
  { A::write_thunk(out, n, id, n, n) } -> SameAs<void>;
  { A::write_stub(out, n, n) } -> SameAs<void>;
  requires A::kCallStubBytes % 8 == 0 && A::kCallStubEntry <= A::kCallStubSite;
  { A::write_call_stub(out, n, n) } -> SameAs<void>;
  requires A::kInBodyMark <= 1;
  { A::write_between(out, n, n, n, steps, steps) } -> SameAs<void>;
};

// The registers of a traced call. A register is named by its offset in A::Regs.
template <class A>
concept HasRegs = requires(typename A::Regs regs, const typename A::Regs fixed, uint64_t n) {
  { fixed.continues_at() } -> SameAs<uint64_t>;
  { regs.continue_at(n) } -> SameAs<void>;
  requires A::Regs::kReturnSlotBytes % 8 == 0;
  { fixed.entry_sp() } -> SameAs<uint64_t>;
  { fixed.return_address() } -> SameAs<uint64_t>;
  { fixed.stack_arguments() } -> SameAs<uint64_t>;
  { fixed.frame_pointer() } -> SameAs<uint64_t>;
  { fixed.call_frame() } -> SameAs<uint64_t>;
  { fixed.exit_site() } -> SameAs<uint64_t>;
  { fixed.result() } -> SameAs<uint64_t>;
  { regs.set_result(n) } -> SameAs<void>;
  { fixed.at(n) } -> SameAs<uint64_t>;
  requires sizeof A::Regs::kArguments / sizeof *A::Regs::kArguments > 0;
  requires A::Regs::kResult < sizeof regs;
  requires A::kX87Results <= 2;
  requires sizeof A::Regs::kByDwarfNumber / sizeof *A::Regs::kByDwarfNumber == 16;
  requires sizeof A::Regs::kNames / sizeof(typename A::Regs::Name) > 0;
  { A::Regs::kNames->text } -> SameAs<const char *const &>;
  requires A::Regs::kNames->offset < sizeof regs;
};

// The data of a signal handler.
template <class A>
concept HandlesSignals = requires(void *context, uint64_t n, int code, const uint64_t *frame) {
  { A::trapped_at(context) } -> SameAs<uint64_t>;
  { A::execute_again(context) } -> SameAs<void>;
  { A::emulate_insn(context, n, n) } -> SameAs<void>;
  { A::is_trap_insn(code) } -> SameAs<bool>;
  requires A::kSignalFrameWords > 0;
  requires A::kFrameTellsReturn || !A::kFrameTellsReturn;
  { A::handler_return(frame) } -> SameAs<uint64_t>;
  { A::interrupted_sp(frame) } -> SameAs<uint64_t>;
  { A::is_signal_frame(frame, n) } -> SameAs<bool>;
};

// Instructions that C++ has no words for.
template <class A>
concept Executes =
    requires(long word, uint64_t n, uint32_t number, uint64_t *own, const uint8_t *text) {
      { A::raw_syscall(word, word, word, word, word, word, word) } -> SameAs<long>;
      { A::read_counter() } -> SameAs<uint64_t>;
      { A::is_counter_steady() } -> SameAs<bool>;
      { A::counter_hz() } -> SameAs<uint64_t>;
      { A::read_pmc(number) } -> SameAs<uint64_t>;
      { A::exchange_own(own, n, n) } -> SameAs<bool>;
      { A::add_own(own, n) } -> SameAs<bool>;
      { A::prefetch_for_write(text) } -> SameAs<void>;
      { A::clean_text(text, n) } -> SameAs<uint64_t>;
      { A::forget_text(text, n) } -> SameAs<uint64_t>;
      { A::finish_text() } -> SameAs<void>;
      { A::has_shadow_stack() } -> SameAs<bool>;
    };

// The work of the dynamic linker, and the machine that it is for.
template <class A>
concept Links = requires(uint32_t type, uint64_t address) {
  requires A::kMachine > 0 && A::kMachine <= 0xffff;
  requires A::kRseqSignature > 0;
  { A::relocated(type) } -> SameAs<Relocated>;
  { A::choose_function(address) } -> SameAs<uint64_t>;
  { A::rights_by_property(type, type) } -> SameAs<int>;
};

// The contents of the unwind tables.
template <class A>
concept Unwinds = requires(uint64_t pc, long (*read)(uint64_t, void *, uint64_t)) {
  { A::stores_return_address(pc, read) } -> SameAs<bool>;
};

// function_graph's frame: the distances of its address, and of its signature, from its mark.
template <class A>
concept MarksFrames = requires {
  requires A::kMarkToFrame % 8 == 0 && A::kMarkToFrame > 0;
  requires A::kMarkToSignature % 8 == 0 && A::kMarkToSignature < (int64_t)A::kMarkToFrame;
};

template <class A>
concept ArchConcept = EncodesInsns<A> && HasRegs<A> && HandlesSignals<A> && Executes<A> &&
                      Links<A> && Unwinds<A> && MarksFrames<A>;
static_assert(ArchConcept<Arch>);

// The number of arguments in registers, and the number of registers that may hold a recorded value
// (nophook/prototype.h).
constexpr uint32_t kArgumentRegisters =
    sizeof Arch::Regs::kArguments / sizeof *Arch::Regs::kArguments;
constexpr uint32_t kValueRegisters =
    sizeof Arch::Regs::kByDwarfNumber / sizeof *Arch::Regs::kByDwarfNumber;

} // namespace nophook
