// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CPU that does not exist: the names of the contract (docs/porting.md) and nothing else, with
// other values than x86-64 has. Sites are one word of four bytes, return addresses are in a
// register, and offsets of registers take two bytes. Nothing is defined, so it can be compiled and
// not linked.

#pragma once

#include "arch/relocated.h"
#include "arch/site_frame.h"

#include <stdint.h>

#define REGS_GENERAL_BYTES 320

namespace nophook {

struct NoRegs {
  uint64_t word[40];

  uint64_t continues_at() const;
  void continue_at(uint64_t ip);
  static constexpr uint64_t kReturnSlotBytes = 0;
  uint64_t entry_sp() const;
  uint64_t return_address() const;
  uint64_t stack_arguments() const;
  uint64_t frame_pointer() const;
  uint64_t call_frame() const;
  uint64_t exit_site() const;
  uint64_t result() const;
  void set_result(uint64_t value);
  uint64_t at(uint64_t offset) const;

  static constexpr uint16_t kArguments[] = {312, 304, 296};
  static constexpr uint16_t kResult = 312;
  static constexpr uint16_t kByDwarfNumber[] = {312, 304, 296, 288, 280, 272, 264, 256,
                                                248, 240, 232, 224, 216, 208, 200, 192};
  struct Name {
    const char *text;
    uint16_t offset;
  };
  static constexpr Name kNames[] = {{"first", 312}, {"second", 304}};
};

struct NoCpu {
  using Regs = NoRegs;
  static constexpr uint32_t kX87Results = 0;
  static constexpr uint32_t kMachine = 1234;
  static constexpr uint32_t kRseqSignature = 1;

  static constexpr uint64_t kSiteBytes = 4;
  static constexpr bool kStoresOnly = true;
  static constexpr uint64_t kInsnMask = 0xffffffff;
  static constexpr uint64_t kLastShift = 24;
  static constexpr uint64_t kInnerMask = 0x00ffff00;
  static constexpr unsigned kSkipBytes = 2;
  static constexpr unsigned kTrapBytes = 1;
  static constexpr uint16_t kSkipHead = 0x1234;
  static constexpr uint8_t kTrap = 0x12;
  static constexpr uint64_t kThunkBytes = 24;
  static constexpr uint64_t kReachBytes = uint64_t{1} << 25;
  static constexpr uint64_t kLastByteStep = uint64_t{1} << 20;
  static constexpr unsigned kAddressBits = 39;
  static constexpr uint64_t kLandingPadBytes = 8;
  static constexpr uint64_t kSitePrefixBytes = 0;
  static constexpr uint64_t kNopClang = 0x56789abc;
  static constexpr uint64_t kNopGas = kNopClang;
  static uint64_t read_insn(const uint8_t *bytes);
  static unsigned short_head(uint64_t insn);
  static uint32_t rest_of(uint64_t insn);
  static uint64_t insn_of(unsigned head, uint32_t rest);
  static bool is_nop_insn(uint64_t insn);
  static bool is_call_insn(uint64_t insn);
  static bool is_branch_insn(uint64_t insn);
  static SiteFrame site_frame(const uint8_t *code, uint64_t bytes);
  static bool is_trapped(uint64_t found, uint64_t insn);
  static bool is_trapped_nop(uint64_t found);
  static bool is_trap(const uint8_t *bytes);
  static bool is_site_nop(const uint8_t *bytes);
  static uint64_t skip_landing_pad(const uint8_t *bytes);
  static bool has_site_prefix(uint64_t ip);

  static bool reaches(uint64_t from, uint64_t to);
  static uint64_t encode_jump(uint64_t from, uint64_t to);
  static uint64_t encode_branch(bool jumps, uint64_t from, uint64_t to);
  static uint64_t target_of(uint64_t from, uint64_t insn);
  static uint64_t call_target(uint64_t ip);
  static uint64_t call_slot(uint64_t ip);
  static constexpr uint64_t kCallWindowBytes = 4;
  static bool ends_with_call(const uint8_t *code);
  static uint64_t code_address(uint64_t word);

  static void write_thunk(uint8_t *out, uint64_t at, uint32_t id, uint64_t slot, uint64_t body);
  static void write_stub(uint8_t *out, uint64_t at, uint64_t slot);
  static constexpr uint64_t kCallStubBytes = 32, kCallStubEntry = 0, kCallStubSite = 0;
  static void write_call_stub(uint8_t *out, uint64_t at, uint64_t slot);
  static constexpr uint64_t kInBodyMark = 0;
  static void write_between(uint8_t *out, uint64_t at, uint64_t slot, uint64_t body,
                            int8_t call_steps, int8_t jump_steps);

  static uint64_t trapped_at(const void *context);
  static void execute_again(void *context);
  static void emulate_insn(void *context, uint64_t at, uint64_t insn);
  static bool is_trap_insn(int si_code);
  static constexpr uint64_t kSignalFrameWords = 7;
  static constexpr uint64_t kMarkToFrame = 8;
  static constexpr int64_t kMarkToSignature = -8;
  static constexpr bool kFrameTellsReturn = false;
  static uint64_t handler_return(const uint64_t *frame);
  static uint64_t interrupted_sp(const uint64_t *frame);
  static bool is_signal_frame(const uint64_t *frame, uint64_t at);

  static long raw_syscall(long number, long a, long b, long c, long d, long e, long f);
  static uint64_t read_counter();
  static bool is_counter_steady();
  static uint64_t counter_hz();
  static uint64_t read_pmc(uint32_t number);
  static bool exchange_own(uint64_t *at, uint64_t expected, uint64_t wanted);
  static bool add_own(uint64_t *at, uint64_t number);
  static void prefetch_for_write(const uint8_t *at);
  static uint64_t clean_text(const void *at, uint64_t bytes);
  static uint64_t forget_text(const void *at, uint64_t bytes);
  static void finish_text();
  static bool has_shadow_stack();

  static Relocated relocated(uint32_t type);
  static uint64_t choose_function(uint64_t resolver);
  static int rights_by_property(uint32_t type, uint32_t value);
  static bool stores_return_address(uint64_t pc, long (*read)(uint64_t, void *, uint64_t));
};
using Arch = NoCpu;

} // namespace nophook
