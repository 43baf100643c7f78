// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of a module's functions a filter selects: on a made-up module whose records are three
// functions of this very program.

#include "ops/filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <link.h>
#include <string>
#include <vector>

using namespace nophook;

extern "C" {
__attribute__((noinline, used, aligned(64))) void filter_probe_one() {
  asm volatile("");
}
__attribute__((noinline, used, aligned(64))) void filter_probe_two() {
  asm volatile("");
}
}
namespace probes {
__attribute__((noinline, used, aligned(64))) void third(int, const char *) {
  asm volatile("");
}
} // namespace probes

namespace {

class FilterTest : public testing::Test {
protected:
  FilterTest() {
    dl_iterate_phdr(
        [](dl_phdr_info *info, size_t, void *bias) {
          *static_cast<uint64_t *>(bias) = info->dlpi_addr;
          return 1;
        },
        &module_.bias);
    addresses_ = {(uint64_t)filter_probe_one, (uint64_t)filter_probe_two, (uint64_t)probes::third};
    std::sort(addresses_.begin(), addresses_.end());
    std::vector<uint32_t> offsets;
    for (uint64_t address : addresses_)
      offsets.push_back((uint32_t)(address - module_.bias));
    EXPECT_TRUE(module_.records.build(module_.bias, offsets.data(), (uint32_t)offsets.size()));
    strcpy(module_.path, "/proc/self/exe");
  }
  ~FilterTest() override { module_.records.release(); }

  // "1" for each of one, two, third that the patterns select.
  std::string selected(const char *patterns) {
    Filter filter;
    EXPECT_TRUE(filter.set(patterns, strlen(patterns), true, " \n").ok());
    std::vector<uint8_t> wanted(3, 0);
    filter.apply(&module_, wanted.data(), 1);
    auto at = [&](void *function) {
      return std::find(addresses_.begin(), addresses_.end(), (uint64_t)function) -
             addresses_.begin();
    };
    std::string result;
    for (void *function :
         {(void *)filter_probe_one, (void *)filter_probe_two, (void *)probes::third})
      result += wanted[(size_t)at(function)] ? '1' : '0';
    return result;
  }

  Module module_ = {};
  std::vector<uint64_t> addresses_;
};

} // namespace

TEST_F(FilterTest, Globs) {
  EXPECT_EQ(selected("filter_probe_one"), "100");
  EXPECT_EQ(selected("filter_probe_*"), "110");
  EXPECT_EQ(selected("filter_probe_t?o"), "010");
  EXPECT_EQ(selected("filter_probe_[a-o]*"), "100");
  EXPECT_EQ(selected("*"), "111");
  EXPECT_EQ(selected("filter_probe"), "000");
  EXPECT_EQ(selected("FILTER_PROBE_ONE"), "000");
}

TEST_F(FilterTest, CppNamesInEachForm) {
  EXPECT_EQ(selected("probes::third"), "001");
  EXPECT_EQ(selected("probes::*"), "001");
  EXPECT_EQ(selected("probes::third(int, char const*)"), "000"); // a blank separates
  EXPECT_EQ(selected("probes::third(int,?char?const\\*)"), "001");
  EXPECT_EQ(selected("_ZN6probes5thirdEiPKc"), "001");
  EXPECT_EQ(selected("third"), "000");
}

TEST_F(FilterTest, Lists) {
  EXPECT_EQ(selected("filter_probe_one probes::third"), "101");
  EXPECT_EQ(selected("  \n filter_probe_one\n\n"), "100");
  EXPECT_EQ(selected("nothing"), "000");
}

TEST_F(FilterTest, ExtendsOrReplaces) {
  Filter filter;
  EXPECT_TRUE(filter.empty());
  ASSERT_TRUE(filter.set("a", 1, true, ",").ok());
  ASSERT_TRUE(filter.set("filter_probe_one", 16, false, ",").ok());
  std::vector<uint8_t> wanted(3, 0);
  filter.apply(&module_, wanted.data(), 1);
  EXPECT_EQ(std::count(wanted.begin(), wanted.end(), 1), 1);
  ASSERT_TRUE(filter.set("a", 1, true, ",").ok());
  wanted.assign(3, 0);
  filter.apply(&module_, wanted.data(), 1);
  EXPECT_EQ(std::count(wanted.begin(), wanted.end(), 1), 0);
  ASSERT_TRUE(filter.set("", 0, true, ",").ok());
  EXPECT_TRUE(filter.empty());
}

TEST_F(FilterTest, AModuleWithoutAFileMatchesOnlyTheStar) {
  strcpy(module_.path, "/nonexistent");
  EXPECT_EQ(selected("filter_probe_one"), "000");
  EXPECT_EQ(selected("*"), "111");
}
