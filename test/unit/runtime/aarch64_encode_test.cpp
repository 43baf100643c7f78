// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AArch64 instructions against the words that llvm-mc gives for them.

#include "arch/aarch64/cache_type.h"
#include "arch/aarch64/encode.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <initializer_list>
#include <vector>

using AArch64 = nophook::AArch64Encode;

namespace {

std::vector<uint32_t> words_of(const uint8_t *bytes, uint64_t size) {
  std::vector<uint32_t> words(size / 4);
  std::memcpy(words.data(), bytes, size);
  return words;
}

std::array<uint8_t, 4> bytes_of(uint32_t insn) {
  std::array<uint8_t, 4> bytes;
  std::memcpy(bytes.data(), &insn, sizeof insn);
  return bytes;
}

} // namespace

TEST(AArch64Encode, Calls) {
  EXPECT_EQ(AArch64::encode_call(0x10000, 0x10000), 0x94000000u);             // bl #0
  EXPECT_EQ(AArch64::encode_call(0x10000, 0x10004), 0x94000001u);             // bl #4
  EXPECT_EQ(AArch64::encode_call(0x10000, 0xfffc), 0x97ffffffu);              // bl #-4
  EXPECT_EQ(AArch64::encode_call(0x10000, 0x10000 + 0x1234560), 0x9448d158u); // bl #0x1234560
  EXPECT_EQ(AArch64::encode_call(0x8000000, 0), 0x96000000u);                 // bl #-0x8000000
}

TEST(AArch64Encode, Jumps) {
  EXPECT_EQ(AArch64::encode_jump(0, 0x7fffffc), 0x15ffffffu); // b #0x7fffffc
  EXPECT_EQ(AArch64::encode_jump(0x1234, 0), 0x17fffb73u);    // b #-0x1234
}

TEST(AArch64Encode, EverySiteJumps) {
  for (bool jumps : {false, true})
    EXPECT_EQ(AArch64::encode_branch(jumps, 0x1000, 0x2000), AArch64::encode_jump(0x1000, 0x2000));
}

TEST(AArch64Encode, TargetIsTheInverse) {
  const uint64_t from = 0x400000001000;
  for (int64_t distance : {0, 4, -4, 0x7fffffc, -0x8000000, 0x1234560, -0x1234560}) {
    const uint64_t to = from + (uint64_t)distance;
    EXPECT_EQ(AArch64::target_of(from, AArch64::encode_call(from, to)), to) << distance;
    EXPECT_EQ(AArch64::target_of(from, AArch64::encode_jump(from, to)), to) << distance;
  }
}

TEST(AArch64Encode, ReachEndsWithTheField) {
  const uint64_t from = 0x400000000000;
  EXPECT_TRUE(AArch64::reaches(from, from + 0x7fffffc));
  EXPECT_FALSE(AArch64::reaches(from, from + 0x8000000));
  EXPECT_TRUE(AArch64::reaches(from, from - 0x8000000));
  EXPECT_FALSE(AArch64::reaches(from, from - 0x8000004));
  EXPECT_FALSE(AArch64::reaches(from, from + 2)); // between instructions
  EXPECT_FALSE(AArch64::reaches(from, from + (uint64_t{1} << 36)));
  EXPECT_TRUE(AArch64::reaches(from, from + AArch64::kReachBytes));
  EXPECT_TRUE(AArch64::reaches(from, from - AArch64::kReachBytes));
}

TEST(AArch64Encode, ShortFormIsTheWholeWord) {
  for (uint64_t insn : {AArch64::kNopClang, AArch64::encode_jump(0x1000, 0), uint64_t{0xffffffff}})
    EXPECT_EQ(AArch64::insn_of(AArch64::short_head(insn), AArch64::rest_of(insn)), insn);
}

TEST(AArch64Encode, RecognisesBranches) {
  const uint64_t call = AArch64::encode_call(0x1000, 0),
                 jump = AArch64::encode_jump(0x1000, 0x2000);
  EXPECT_TRUE(AArch64::is_call_insn(call));
  EXPECT_TRUE(AArch64::is_call_insn(AArch64::encode_call(0, 0x1000)));
  EXPECT_FALSE(AArch64::is_call_insn(jump));
  EXPECT_FALSE(AArch64::is_call_insn(AArch64::kNopClang));
  EXPECT_TRUE(AArch64::is_branch_insn(call));
  EXPECT_TRUE(AArch64::is_branch_insn(jump));
  EXPECT_FALSE(AArch64::is_branch_insn(AArch64::kNopClang));
  EXPECT_FALSE(AArch64::is_branch_insn(0x54000000)); // b.eq #0
}

TEST(AArch64Encode, CodeAddressHasNoSignature) {
  EXPECT_EQ(AArch64::code_address(0x0000aaaabbbbcccc), 0x0000aaaabbbbccccu);
  EXPECT_EQ(AArch64::code_address(0xff7faaaabbbbcccc), 0x0000aaaabbbbccccu);
}

TEST(AArch64Encode, EndsWithCall) {
  auto ends = [](uint32_t insn) { return AArch64::ends_with_call(bytes_of(insn).data()); };
  EXPECT_TRUE(ends(0x94000001));  // bl #4
  EXPECT_TRUE(ends(0xd63f0120));  // blr x9
  EXPECT_TRUE(ends(0xd63f03c0));  // blr x30
  EXPECT_TRUE(ends(0xd63f093f));  // blraaz x9
  EXPECT_TRUE(ends(0xd63f0d3f));  // blrabz x9
  EXPECT_TRUE(ends(0xd73f092a));  // blraa x9, x10
  EXPECT_TRUE(ends(0xd73f0d2a));  // blrab x9, x10
  EXPECT_FALSE(ends(0x14000001)); // b #4
  EXPECT_FALSE(ends(0xd61f0120)); // br x9
  EXPECT_FALSE(ends(0xd65f03c0)); // ret
  EXPECT_FALSE(ends(0xd503201f)); // nop
}

TEST(AArch64Encode, Breakpoints) {
  for (uint64_t brk : {0xd4200000, 0xd42000a0, 0xd43fffe0}) { // brk #0, #5, #0xffff
    EXPECT_TRUE(AArch64::is_trapped(brk, AArch64::kNopClang));
    EXPECT_TRUE(AArch64::is_trapped_nop(brk));
    EXPECT_TRUE(AArch64::is_trap(bytes_of((uint32_t)brk).data()));
  }
  EXPECT_FALSE(AArch64::is_trapped_nop(0xd4400000)); // hlt #0
  EXPECT_FALSE(AArch64::is_trapped(AArch64::kNopClang, AArch64::kNopClang));
}

TEST(AArch64Encode, LandingPads) {
  auto pad = [](uint32_t insn) { return AArch64::skip_landing_pad(bytes_of(insn).data()); };
  EXPECT_EQ(pad(0xd503245f), 4u); // bti c
  EXPECT_EQ(pad(0xd503249f), 4u); // bti j
  EXPECT_EQ(pad(0xd50324df), 4u); // bti jc
  EXPECT_EQ(pad(0xd503241f), 0u); // bti: it takes no branch
  EXPECT_EQ(pad(0xd503233f), 0u); // paciasp: behind the site
  EXPECT_EQ(pad(0xd503201f), 0u); // nop
}

TEST(AArch64Encode, SiteFrame) {
  auto frame = [](uint32_t insn) { return AArch64::site_frame(bytes_of(insn).data(), 4); };
  EXPECT_EQ(frame(0x910003fd), nophook::SiteFrame::kFrame);   // mov x29, sp
  EXPECT_EQ(frame(0x910083fd), nophook::SiteFrame::kFrame);   // add x29, sp, #32
  EXPECT_EQ(frame(0xa9bf7bfd), nophook::SiteFrame::kUnknown); // stp x29, x30, [sp, #-16]!
  EXPECT_EQ(frame(0x910003fc), nophook::SiteFrame::kUnknown); // mov x28, sp
}

TEST(AArch64Encode, Thunk) {
  std::array<uint8_t, AArch64::kThunkBytes> thunk;
  const uint64_t at = 0x400000001020;
  AArch64::write_thunk(thunk.data(), at, 0x12345678, 0x400000000008, at + 16 - 0x1234560);
  EXPECT_EQ(words_of(thunk.data(), thunk.size()),
            (std::vector<uint32_t>{0x10000011, // adr x17, #0
                                   0xf0fffff0, // adrp x16, #-4096
                                   0xf9400610, // ldr x16, [x16, #8]
                                   0xd61f0200, // br x16
                                   0x17b72ea8, // b #-0x1234560
                                   0x12345678, 0xd4200000, 0xd4200000}));
}

TEST(AArch64Encode, ThunkWithoutBody) {
  std::array<uint8_t, AArch64::kThunkBytes> thunk;
  AArch64::write_thunk(thunk.data(), 0x1000, 1, 0x2ff8, 0);
  const std::vector<uint32_t> words = words_of(thunk.data(), thunk.size());
  EXPECT_EQ(words[1], 0xb0000010u); // adrp x16, #4096
  EXPECT_EQ(words[2], 0xf947fe10u); // ldr x16, [x16, #4088]
  EXPECT_EQ(words[THUNK_BODY / 4], 0xd4200000u);
  EXPECT_EQ(words[THUNK_ID / 4], 1u);
}

TEST(AArch64Encode, SlotFarAway) {
  std::array<uint8_t, AArch64::kThunkBytes> stub;
  AArch64::write_stub(stub.data(), 0x7ffffffff000, 0x7fff80000000);
  EXPECT_EQ(words_of(stub.data(), 8),
            (std::vector<uint32_t>{0xb0c00010,    // adrp x16, #-0x7ffff000
                                   0xf9400210})); // ldr x16, [x16]
}

TEST(AArch64Encode, StubEntersBodiesByReturns) {
  std::array<uint8_t, AArch64::kThunkBytes> stub;
  AArch64::write_stub(stub.data(), 0x1000, 0x2008);
  EXPECT_EQ(words_of(stub.data(), stub.size()),
            (std::vector<uint32_t>{0xb0000010, // adrp x16, #4096
                                   0xf9400610, // ldr x16, [x16, #8]
                                   0x37000050, // tbnz w16, #0, #8
                                   0xd61f0200, // br x16
                                   0xd1000610, // sub x16, x16, #1
                                   0xd65f0200, // ret x16
                                   0xd4200000, 0xd4200000}));
}

TEST(AArch64Encode, CallStubHasALandingPadAndASite) {
  std::array<uint8_t, AArch64::kCallStubBytes> stub;
  AArch64::write_call_stub(stub.data(), 0x1ff8, 0x3008); // the jump is in the next page
  EXPECT_EQ(AArch64::skip_landing_pad(stub.data() + AArch64::kCallStubEntry),
            AArch64::kCallStubSite - AArch64::kCallStubEntry);
  EXPECT_TRUE(AArch64::is_site_nop(stub.data() + AArch64::kCallStubSite));
  EXPECT_EQ(words_of(stub.data() + 8, 8),
            (std::vector<uint32_t>{0xb0000010,    // adrp x16, #4096
                                   0xf9400610})); // ldr x16, [x16, #8]
}

TEST(AArch64Caches, MaintenanceIsWhatTheCpuAsksFor) {
  const uint64_t old = 0x8444c004, modern = old | uint64_t{3} << 28; // Cortex-A57; IDC and DIC
  EXPECT_TRUE(nophook::must_clean(old));
  EXPECT_TRUE(nophook::must_invalidate(old));
  EXPECT_FALSE(nophook::must_clean(modern));
  EXPECT_FALSE(nophook::must_invalidate(modern));
  EXPECT_FALSE(nophook::must_clean(old | uint64_t{1} << 28));
  EXPECT_TRUE(nophook::must_invalidate(old | uint64_t{1} << 28));
}

TEST(AArch64Caches, LinesHaveTheirOwnLengths) {
  const uint64_t ctr = 0x80038005; // data lines of 8 words, instruction lines of 32
  EXPECT_EQ(nophook::data_line_bytes(ctr), 32u);
  EXPECT_EQ(nophook::insn_line_bytes(ctr), 128u);
}
