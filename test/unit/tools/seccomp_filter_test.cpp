// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A seccomp filter is followed as the kernel would run it; where it decides by an unknown value,
// both ways count. docs/design/attach.md.

#include "process/stop/seccomp_filter.h"

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/seccomp.h>

using namespace nophook;

namespace {

constexpr uint32_t kAllow = SECCOMP_RET_ALLOW, kKill = SECCOMP_RET_KILL_PROCESS,
                   kFail = SECCOMP_RET_ERRNO | 38, kThird = 16 + 2 * 8;

sock_filter load(uint32_t place) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place);
}
sock_filter if_equal(uint32_t value, uint8_t jump) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, jump);
}
sock_filter ret(uint32_t action) {
  return BPF_STMT(BPF_RET | BPF_K, action);
}

uint32_t worst(std::vector<SeccompFilter> filters, CallPattern call) {
  return worst_action(filters, AUDIT_ARCH_X86_64, call);
}

CallPattern call_with_third(std::optional<uint64_t> value) {
  CallPattern call = {10, {}};
  call.arguments[2] = value;
  return call;
}

} // namespace

TEST(seccomp_filter, decides_by_the_number_and_the_cpu) {
  const SeccompFilter filter = {
      load(4), if_equal(AUDIT_ARCH_X86_64, 3), load(0), if_equal(10, 1), ret(kAllow), ret(kKill)};
  EXPECT_EQ(worst({filter}, {10, {}}), kAllow);
  EXPECT_EQ(worst({filter}, {11, {}}), kKill);
  EXPECT_EQ(worst_action({&filter, 1}, AUDIT_ARCH_I386, {10, {}}), kKill);
}

TEST(seccomp_filter, follows_both_ways_of_an_argument_that_is_not_known) {
  const SeccompFilter filter = {load(kThird), if_equal(5, 1), ret(kKill), ret(kAllow)};
  EXPECT_EQ(worst({filter}, call_with_third(1)), kAllow);
  EXPECT_EQ(worst({filter}, call_with_third(5)), kKill);
  EXPECT_EQ(worst({filter}, call_with_third(std::nullopt)), kKill);
  // A filter on the argument's upper half, which a 32-bit value does not have.
  const SeccompFilter upper = {load(kThird + 4), if_equal(0, 1), ret(kAllow), ret(kKill)};
  EXPECT_EQ(worst({upper}, call_with_third(5)), kAllow);
  EXPECT_EQ(worst({upper}, call_with_third(~uint64_t{0})), kKill);
}

TEST(seccomp_filter, calculates) {
  // ((third & 6) << 4) / 2 | 1, by way of the memory and the other register; minus 0x21.
  const SeccompFilter filter = {load(kThird),
                                BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 6),
                                BPF_STMT(BPF_ALU | BPF_LSH | BPF_K, 4),
                                BPF_STMT(BPF_ST, 3),
                                BPF_STMT(BPF_LD | BPF_IMM, 2),
                                BPF_STMT(BPF_MISC | BPF_TAX, 0),
                                BPF_STMT(BPF_LD | BPF_MEM, 3),
                                BPF_STMT(BPF_ALU | BPF_DIV | BPF_X, 0),
                                BPF_STMT(BPF_ALU | BPF_OR | BPF_K, 1),
                                BPF_STMT(BPF_ALU | BPF_SUB | BPF_K, 0x21),
                                if_equal(0, 1),
                                ret(kAllow),
                                ret(kKill)};
  EXPECT_EQ(worst({filter}, call_with_third(0x1d)), kAllow); // & 6 is 4
  EXPECT_EQ(worst({filter}, call_with_third(0x1f)), kKill);
  EXPECT_EQ(worst({filter}, call_with_third(std::nullopt)), kKill);
}

TEST(seccomp_filter, takes_the_strictest_of_several) {
  EXPECT_EQ(worst({{ret(kAllow)}, {ret(kFail)}, {ret(kAllow)}}, {1, {}}), kFail);
  EXPECT_EQ(worst({{ret(kFail)}, {ret(SECCOMP_RET_TRAP)}}, {1, {}}), (uint32_t)SECCOMP_RET_TRAP);
  EXPECT_EQ(worst({{ret(SECCOMP_RET_KILL_THREAD)}, {ret(kKill)}}, {1, {}}), kKill);
  EXPECT_EQ(worst({{ret(SECCOMP_RET_LOG)}}, {1, {}}), (uint32_t)SECCOMP_RET_LOG);
}

TEST(seccomp_filter, kills_where_it_cannot_be_followed) {
  EXPECT_EQ(worst({{}}, {1, {}}), kKill);
  EXPECT_EQ(worst({{load(0)}}, {1, {}}), kKill); // runs off its end
  EXPECT_EQ(worst({{BPF_STMT(BPF_JMP | BPF_JA, 1000), ret(kAllow)}}, {1, {}}), kKill);
  EXPECT_EQ(worst({{BPF_STMT(BPF_ST, 16), ret(kAllow)}}, {1, {}}), kKill);
  // There is a way for each value of 24 unknown bits.
  SeccompFilter many = {BPF_STMT(BPF_LD | BPF_IMM, 0), BPF_STMT(BPF_ST, 0)};
  for (uint32_t bit = 0; bit < 24; bit++) {
    many.push_back(load(kThird));
    many.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 1u << bit, 0, 3));
    many.push_back(BPF_STMT(BPF_LD | BPF_MEM, 0));
    many.push_back(BPF_STMT(BPF_ALU | BPF_OR | BPF_K, 1u << bit));
    many.push_back(BPF_STMT(BPF_ST, 0));
  }
  many.push_back(ret(kAllow));
  EXPECT_EQ(worst({many}, call_with_third(0xffffff)), kAllow);
  EXPECT_EQ(worst({many}, call_with_third(std::nullopt)), kKill);
}

// A process can have hundreds of filters that each take a tenth of a second.
TEST(seccomp_filter, takes_many_long_filters_as_one) {
  SeccompFilter filter;
  for (uint32_t i = 0; i < 12; i++) {
    filter.push_back(BPF_STMT(BPF_LD | BPF_IMM, 1));
    filter.push_back(BPF_STMT(BPF_ST, i));
    filter.push_back(load(kThird));
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 1u << i, 2, 0));
    filter.push_back(BPF_STMT(BPF_LD | BPF_IMM, 2));
    filter.push_back(BPF_STMT(BPF_ST, i));
  }
  filter.push_back(ret(kAllow));
  EXPECT_EQ(worst({filter}, call_with_third(std::nullopt)), kAllow);
  EXPECT_EQ(worst(std::vector(10, filter), call_with_third(std::nullopt)), kKill);
}
