// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x86-64 instructions against the bytes that the assembler gives for them.

#include "arch/x86_64/encode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

using X86_64 = nophook::X86_64Encode;

namespace {

std::array<uint8_t, 5> bytes_of(uint64_t insn) {
  std::array<uint8_t, 5> bytes;
  for (uint8_t &byte : bytes) {
    byte = (uint8_t)insn;
    insn >>= 8;
  }
  EXPECT_EQ(insn, 0u) << "more than five bytes";
  return bytes;
}
using Bytes = std::array<uint8_t, 5>;

} // namespace

TEST(X86Encode, CallsAndJumps) {
  EXPECT_EQ(bytes_of(X86_64::encode_jump(0, 0x12345678)), (Bytes{0xe9, 0x73, 0x56, 0x34, 0x12}));
  EXPECT_EQ(bytes_of(X86_64::encode_call(5, 0x1005)), (Bytes{0xe8, 0xfb, 0x0f, 0x00, 0x00}));
  EXPECT_EQ(bytes_of(X86_64::encode_call(0x100a, 0xa)), (Bytes{0xe8, 0xfb, 0xef, 0xff, 0xff}));
  EXPECT_EQ(bytes_of(X86_64::encode_call(0x7f0000000000, 0x7f0000000005)),
            (Bytes{0xe8, 0, 0, 0, 0}));
}

TEST(X86Encode, TargetIsTheInverse) {
  const uint64_t from = 0x7f1234567890;
  for (int64_t distance : {5l, 6l, 0l, -1l, 0x7fffffffl + 5, -0x80000000l + 5, 0x12345678l}) {
    const uint64_t to = from + (uint64_t)distance;
    ASSERT_TRUE(X86_64::reaches(from, to)) << distance;
    EXPECT_EQ(X86_64::target_of(from, X86_64::encode_call(from, to)), to) << distance;
    EXPECT_EQ(X86_64::target_of(from, X86_64::encode_jump(from, to)), to) << distance;
  }
}

TEST(X86Encode, ReachEndsWithTheField) {
  const uint64_t from = 0x7f0000000000;
  EXPECT_TRUE(X86_64::reaches(from, from + 5 + 0x7fffffff));
  EXPECT_FALSE(X86_64::reaches(from, from + 5 + 0x80000000));
  EXPECT_TRUE(X86_64::reaches(from, from + 5 - 0x80000000));
  EXPECT_FALSE(X86_64::reaches(from, from + 4 - 0x80000000));
  // The distance by which islands are placed is within reach, from any site to any thunk.
  EXPECT_TRUE(X86_64::reaches(from, from + X86_64::kReachBytes));
  EXPECT_TRUE(X86_64::reaches(from + X86_64::kReachBytes, from));
}

TEST(X86Encode, RecognisesItsNops) {
  const std::array<uint8_t, 5> clang = {0x0f, 0x1f, 0x44, 0x00, 0x08};
  const std::array<uint8_t, 5> gas = {0x0f, 0x1f, 0x44, 0x00, 0x00};
  const std::array<uint8_t, 5> other = {0x0f, 0x1f, 0x44, 0x00, 0x04};
  EXPECT_EQ(bytes_of(X86_64::read_insn(clang.data())), clang);
  EXPECT_TRUE(X86_64::is_site_nop(clang.data()));
  EXPECT_TRUE(X86_64::is_site_nop(gas.data()));
  EXPECT_FALSE(X86_64::is_site_nop(other.data()));
  EXPECT_FALSE(X86_64::is_nop_insn(X86_64::encode_call(0, 0x100)));
}

TEST(X86Encode, SkipsOneLandingPad) {
  const std::array<uint8_t, 8> with = {0xf3, 0x0f, 0x1e, 0xfa, 0x0f, 0x1f, 0x44, 0x00};
  const std::array<uint8_t, 8> endbr32 = {0xf3, 0x0f, 0x1e, 0xfb};
  EXPECT_EQ(X86_64::skip_landing_pad(with.data()), 4u);
  EXPECT_EQ(X86_64::skip_landing_pad(with.data() + 4), 0u);
  EXPECT_EQ(X86_64::skip_landing_pad(endbr32.data()), 0u);
}

// The frame pointer is used only if the code in front of the site has set it.
TEST(X86Encode, SiteFrame) {
  auto frame = [](std::initializer_list<uint8_t> code, unsigned prefix = 0) {
    const std::vector<uint8_t> bytes(code);
    return X86_64::site_frame(bytes.data(), bytes.size() - prefix);
  };
  EXPECT_EQ(frame({0x55, 0x48, 0x89, 0xe5}),
            nophook::SiteFrame::kFrame); // push %rbp; mov %rsp, %rbp
  EXPECT_EQ(frame({0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x8b, 0xec}), nophook::SiteFrame::kFrame);
  EXPECT_EQ(frame({0x41, 0x52}), nophook::SiteFrame::kPushed); // push %r10
  EXPECT_EQ(frame({0x41, 0x52, 0x67}), nophook::SiteFrame::kPushed);
  EXPECT_EQ(frame({0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0x52}), nophook::SiteFrame::kPushed);
  EXPECT_EQ(frame({0x55}), nophook::SiteFrame::kUnknown);
  EXPECT_EQ(frame({0x55, 0x48, 0x89}), nophook::SiteFrame::kUnknown);
  EXPECT_EQ(frame({0x55, 0x48, 0x89, 0xe5}, 1),
            nophook::SiteFrame::kUnknown); // the site is in its middle
  EXPECT_EQ(frame({0x41, 0x52, 0x90, 0x90}), nophook::SiteFrame::kUnknown);
}

TEST(X86Encode, SkipHeadJumpsBehindTheSite) {
  // jmp rel8 at the site: two bytes long, so 3 leads to site + 5.
  EXPECT_EQ(X86_64::kSkipHead & 0xff, 0xeb);
  EXPECT_EQ(2 + (X86_64::kSkipHead >> 8), (int)X86_64::kSiteBytes);
}

TEST(X86Encode, Thunk) {
  std::vector<uint8_t> thunk(X86_64::kThunkBytes + 1, 0x77);
  const uint64_t at = 0x555500001000;
  X86_64::write_thunk(thunk.data(), at, 0x12345678, at + 11 + 0x11223344, 0);
  EXPECT_EQ(thunk, (std::vector<uint8_t>{0x68, 0x78, 0x56, 0x34, 0x12,       // push
                                         0xff, 0x25, 0x44, 0x33, 0x22, 0x11, // jmp *
                                         0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0x77}));
  X86_64::write_thunk(thunk.data(), at, 1, at - 0x1000, 0); // the slot lies below
  EXPECT_EQ(thunk[7], 0xf5);
  EXPECT_EQ(thunk[8], 0xef);
  EXPECT_EQ(thunk[9], 0xff);
  EXPECT_EQ(thunk[10], 0xff);
}

TEST(X86Encode, CallStubHasALandingPadAndASiteInOneWord) {
  std::array<uint8_t, X86_64::kCallStubBytes> stub;
  X86_64::write_call_stub(stub.data(), 0x1000, 0x3008);
  const std::array<uint8_t, 20> wanted = {
      0xcc, 0xcc, 0xcc, 0xcc, 0xf3, 0x0f, 0x1e, 0xfa, // endbr64
      0x0f, 0x1f, 0x44, 0x00, 0x08,                   // nopl 0x8(%rax,%rax,1)
      0x3e, 0xff, 0x25, 0xf4, 0x1f, 0x00, 0x00};      // notrack jmp *0x1ff4(%rip)
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), stub.begin()));
  EXPECT_EQ(X86_64::kCallStubSite / 8, (X86_64::kCallStubSite + X86_64::kSiteBytes - 1) / 8);
}

TEST(X86Encode, ShortFormsAreTheInverse) {
  for (uint64_t insn : {X86_64::kNopClang, X86_64::kNopGas, X86_64::encode_call(0x1000, 0x87654321),
                        X86_64::encode_jump(0x87654321, 0x1000)})
    EXPECT_EQ(X86_64::insn_of(X86_64::short_head(insn), X86_64::rest_of(insn)), insn) << insn;
}

TEST(X86Encode, InnerBytesAreAllButTheFirstAndTheLast) {
  EXPECT_EQ(bytes_of(X86_64::kInnerMask), (Bytes{0, 0xff, 0xff, 0xff, 0}));
  const uint64_t call = X86_64::encode_call(0, 0x1000);
  const uint64_t jump = X86_64::encode_jump(0, 0x1000 + X86_64::kLastByteStep);
  EXPECT_EQ((call ^ jump) & X86_64::kInnerMask, 0u);
  EXPECT_EQ((uint8_t)(jump >> X86_64::kLastShift), bytes_of(jump).back());
}

TEST(X86Encode, RecognisesABreakpointByTheRest) {
  const uint64_t call = X86_64::encode_call(0, 0x12345);
  const uint64_t trapped = (call & ~uint64_t{0xff}) | X86_64::kTrap;
  EXPECT_TRUE(X86_64::is_trapped(trapped, call));
  EXPECT_FALSE(X86_64::is_trapped(call, call));
  EXPECT_FALSE(X86_64::is_trapped(trapped, X86_64::encode_call(0, 0x12346)));
  EXPECT_FALSE(X86_64::is_trapped_nop(trapped));
}

TEST(X86Encode, FindsTheEndOfACall) {
  using Window = std::array<uint8_t, X86_64::kCallWindowBytes>;
  EXPECT_TRUE(X86_64::ends_with_call(Window{0, 0, 0, 0xe8, 1, 2, 3, 4}.data()));    // call rel32
  EXPECT_TRUE(X86_64::ends_with_call(Window{0, 0, 0, 0, 0, 0, 0xff, 0xd0}.data())); // call *%rax
  EXPECT_TRUE(X86_64::ends_with_call(Window{0, 0, 0xff, 0x15, 1, 2, 3, 4}.data())); // call *(%rip)
  EXPECT_TRUE(X86_64::ends_with_call(Window{0, 0xff, 0x94, 0x24, 1, 2, 3, 4}.data())); // (%rsp)
  EXPECT_FALSE(X86_64::ends_with_call(Window{0, 0, 0, 0xe9, 1, 2, 3, 4}.data()));      // jmp rel32
  EXPECT_FALSE(X86_64::ends_with_call(Window{0, 0, 0xe8, 1, 2, 3, 4, 5}.data()));      // too early
  EXPECT_FALSE(X86_64::ends_with_call(Window{0, 0, 0, 0, 0, 0, 0xff, 0xe0}.data()));   // jmp *%rax
}
