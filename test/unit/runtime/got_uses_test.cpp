// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses of slots of the GOT are found in code of both CPUs; code that may be a use counts as one.

#include <nophook/got_uses.h>

#include <gtest/gtest.h>

#include <vector>

namespace {

constexpr unsigned kX86_64 = 62, kAArch64 = 183;
constexpr uint64_t kCode = 0x1000, kDescribed = 0x1800;

int is_described(const void *, uint64_t address) {
  return address >= kDescribed && address < kDescribed + 0x100;
}

std::vector<uint8_t> uses_in(unsigned machine, const std::vector<uint8_t> &code,
                             const std::vector<uint64_t> &slots, uint64_t address = kCode) {
  std::vector<uint8_t> uses(slots.size()), pages(slots.size());
  nophook_got_scan scan = {slots.data(), uses.data(),  pages.data(), slots.size(),
                           {},           is_described, nullptr};
  nophook_got_scan_code(&scan, machine, code.data(), code.size(), address);
  nophook_got_scan_end(&scan);
  return uses;
}

// An instruction that ends with the distance to `slot` and `immediate`.
std::vector<uint8_t> x86(std::vector<uint8_t> bytes, uint64_t slot, uint64_t address = kCode,
                         std::vector<uint8_t> immediate = {}) {
  const uint64_t distance = slot - (address + bytes.size() + 4 + immediate.size());
  for (int i = 0; i < 4; i++)
    bytes.push_back((uint8_t)(distance >> 8 * i));
  bytes.insert(bytes.end(), immediate.begin(), immediate.end());
  return bytes;
}

std::vector<uint8_t> arm(std::vector<uint32_t> insns) {
  std::vector<uint8_t> bytes;
  for (uint32_t insn : insns)
    for (int i = 0; i < 4; i++)
      bytes.push_back((uint8_t)(insn >> 8 * i));
  return bytes;
}

uint32_t adrp(uint64_t from, uint64_t to) {
  const uint64_t pages = (to >> 12) - (from >> 12);
  return 0x90000000 | (uint32_t)(pages & 3) << 29 | (uint32_t)(pages >> 2 & 0x7ffff) << 5;
}

uint32_t ldr(uint64_t offset) {
  return 0xf9400000 | (uint32_t)(offset / 8) << 10;
}

TEST(got_uses, x86_64_calls_and_jumps) {
  const std::vector<uint64_t> slots = {0x3ff0, 0x3ff8};
  EXPECT_EQ(uses_in(kX86_64, x86({0xff, 0x15}, 0x3ff8), slots),
            (std::vector<uint8_t>{0, NOPHOOK_GOT_CALLED}));
  EXPECT_EQ(uses_in(kX86_64, x86({0x3e, 0xff, 0x25}, 0x3ff0), slots),
            (std::vector<uint8_t>{NOPHOOK_GOT_CALLED, 0}));
  EXPECT_EQ(uses_in(kX86_64, x86({0xff, 0x15}, 0x4000), slots), (std::vector<uint8_t>{0, 0}));
}

TEST(got_uses, x86_64_other_uses) {
  const std::vector<uint64_t> slots = {0x3ff8};
  const std::vector<uint8_t> unknown = {NOPHOOK_GOT_UNKNOWN}, known = {NOPHOOK_GOT_DESCRIBED};
  EXPECT_EQ(uses_in(kX86_64, x86({0x48, 0x8b, 0x05}, 0x3ff8), slots), unknown);
  EXPECT_EQ(uses_in(kX86_64, x86({0x4c, 0x8b, 0x3d}, 0x3ff8), slots), unknown);
  EXPECT_EQ(uses_in(kX86_64, x86({0xff, 0x35}, 0x3ff8), slots), unknown); // push
  EXPECT_EQ(uses_in(kX86_64, x86({0x48, 0x83, 0x3d}, 0x3ff8, kCode, {0}), slots), unknown);
  EXPECT_EQ(uses_in(kX86_64, x86({0x48, 0x81, 0x3d}, 0x3ff8, kCode, {0, 0, 0, 0}), slots), unknown);
  EXPECT_EQ(uses_in(kX86_64, x86({0x48, 0x8b, 0x05}, 0x3ff8, kDescribed), slots, kDescribed),
            known);
  // The code ends within the instruction.
  std::vector<uint8_t> cut = x86({0x48, 0x8b, 0x05}, 0x3ff8);
  cut.pop_back();
  EXPECT_EQ(uses_in(kX86_64, cut, slots), std::vector<uint8_t>{0});
}

TEST(got_uses, aarch64) {
  const std::vector<uint64_t> slots = {0x20ff0, 0x20ff8, 0x21008};
  const uint8_t no = 0, yes = NOPHOOK_GOT_UNKNOWN;
  EXPECT_EQ(uses_in(kAArch64, arm({adrp(kCode, 0x20000), ldr(0xff8)}), slots),
            (std::vector<uint8_t>{no, yes, no}));
  // The load may stand anywhere, and reach behind the page.
  EXPECT_EQ(uses_in(kAArch64, arm({ldr(0x1008), adrp(kCode + 4, 0x20000)}), slots),
            (std::vector<uint8_t>{no, no, yes}));
  // No use: another page, another offset, the page only.
  EXPECT_EQ(uses_in(kAArch64, arm({adrp(kCode, 0x22000), ldr(0xff8)}), slots),
            (std::vector<uint8_t>{no, no, no}));
  EXPECT_EQ(uses_in(kAArch64, arm({adrp(kCode, 0x20000), ldr(0xfe8)}), slots),
            (std::vector<uint8_t>{no, no, no}));
  EXPECT_EQ(uses_in(kAArch64, arm({adrp(kCode, 0x20000)}), slots),
            (std::vector<uint8_t>{no, no, no}));
  // ldr x0, literal; adr x0, slot.
  const uint64_t near = 0x20ff0;
  EXPECT_EQ(uses_in(kAArch64, arm({0x58000000 | (8 >> 2) << 5}), slots, near - 8),
            (std::vector<uint8_t>{yes, no, no}));
  EXPECT_EQ(uses_in(kAArch64, arm({0x10000000 | (8 >> 2) << 5}), slots, near),
            (std::vector<uint8_t>{no, yes, no}));
  EXPECT_EQ(uses_in(kAArch64, arm({adrp(kDescribed, 0x20000), ldr(0xff8)}), slots, kDescribed),
            (std::vector<uint8_t>{no, no, no}));
}

TEST(got_uses, answers) {
  constexpr uint32_t kCalled = NOPHOOK_IMPORT_CALLED, kTaken = NOPHOOK_IMPORT_ADDRESS_TAKEN;
  EXPECT_EQ(nophook_got_answer_of(NOPHOOK_GOT_CALLED, 0), NOPHOOK_GOT_FOR_CALLS);
  EXPECT_EQ(nophook_got_answer_of(NOPHOOK_GOT_CALLED, kCalled | kTaken), NOPHOOK_GOT_ADDRESS_TAKEN);
  EXPECT_EQ(nophook_got_answer_of(NOPHOOK_GOT_DESCRIBED, kCalled), NOPHOOK_GOT_FOR_CALLS);
  EXPECT_EQ(nophook_got_answer_of(NOPHOOK_GOT_DESCRIBED, 0), NOPHOOK_GOT_NOT_PROVED);
  EXPECT_EQ(nophook_got_answer_of(NOPHOOK_GOT_CALLED | NOPHOOK_GOT_UNKNOWN, kCalled),
            NOPHOOK_GOT_NOT_PROVED);
  EXPECT_EQ(nophook_got_answer_of(0, 0), NOPHOOK_GOT_NOT_PROVED);
}

} // namespace
