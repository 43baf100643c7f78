// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of a module that a filter selects: the module is made up, and its records are three
// functions of this program.

#include "ops/filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
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
    module_.loaded = true;
  }
  ~FilterTest() override { module_.records.release(); }

  // "1" or "0" for each of one, two and third: whether it is in the filter's set.
  std::string in_set(const Filter &filter) {
    auto at = [&](void *function) {
      return std::find(addresses_.begin(), addresses_.end(), (uint64_t)function) -
             addresses_.begin();
    };
    std::string result;
    for (void *function :
         {(void *)filter_probe_one, (void *)filter_probe_two, (void *)probes::third})
      result += hash_has(filter.hash(), (uint32_t)at(function)) ? '1' : '0';
    return result;
  }

  // The same for a filter that these patterns make before the module is loaded.
  std::string selected(const char *patterns) {
    Filter filter;
    EXPECT_EQ(change(&filter, patterns, true), 0);
    EXPECT_TRUE(filter.take_in(&module_).ok());
    return in_set(filter);
  }

  static int change(Filter *filter, const char *patterns, bool reset) {
    return filter->change(patterns, strlen(patterns), reset, " \n", Filter::Misses::kAllowed).error;
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

TEST_F(FilterTest, ANameGoesBeforeAGlob) {
  EXPECT_EQ(selected("probes::third(int,char[abi:x]const*)"), "000");
  EXPECT_EQ(selected("probes::third[abi:cxx11]"), "001");
  EXPECT_EQ(selected("filter_probe_[abi:x]one"), "100");
}

TEST_F(FilterTest, Lists) {
  EXPECT_EQ(selected("filter_probe_one probes::third"), "101");
  EXPECT_EQ(selected("  \n filter_probe_one\n\n"), "100");
  EXPECT_EQ(selected("nothing"), "000");
}

TEST_F(FilterTest, Modules) {
  strcpy(module_.path, "/lib/libprobe.so.1.2");
  // The path is no file, so only `*` has functions.
  EXPECT_EQ(selected("*:mod:libprobe.so.1.2"), "111");
  EXPECT_EQ(selected("*:mod:libprobe"), "111");
  EXPECT_EQ(selected(":mod:lib?robe"), "111");
  EXPECT_EQ(selected("*:mod:probe"), "000");
  EXPECT_EQ(selected("*:mod:/lib/*"), "000");
  EXPECT_EQ(selected("*:mod:!libz"), "111");
  EXPECT_EQ(selected("*:mod:!lib*"), "000");
  EXPECT_EQ(selected("*:mod:"), "000");
}

TEST_F(FilterTest, Removals) {
  EXPECT_EQ(selected("filter_probe_* !filter_probe_one"), "010");
  EXPECT_EQ(selected("* !probes::third"), "110");
  EXPECT_EQ(selected("!filter_probe_one filter_probe_one"), "100");
  EXPECT_EQ(selected("filter_probe_one !*"), "000");
}

TEST_F(FilterTest, ExtendsOrReplaces) {
  Filter filter;
  EXPECT_TRUE(filter.is_empty());
  EXPECT_EQ(change(&filter, "a", true), 0);
  EXPECT_FALSE(filter.is_empty());
  EXPECT_EQ(change(&filter, "filter_probe_one", false), 0);
  ASSERT_TRUE(filter.take_in(&module_).ok());
  EXPECT_EQ(in_set(filter), "100");
  filter.forget(&module_);
  EXPECT_EQ(in_set(filter), "000");
  EXPECT_FALSE(filter.is_empty());
  EXPECT_EQ(change(&filter, "a", true), 0);
  ASSERT_TRUE(filter.take_in(&module_).ok());
  EXPECT_EQ(in_set(filter), "000");
  EXPECT_EQ(change(&filter, "", true), 0);
  EXPECT_TRUE(filter.is_empty());
}

TEST_F(FilterTest, OneThatWaitsIsNotEmptied) {
  Filter filter;
  EXPECT_EQ(change(&filter, "filter_probe_*", true), 0);
  EXPECT_EQ(change(&filter, "!filter_probe_one !nothing", false), 0);
  EXPECT_FALSE(filter.is_empty());
  ASSERT_TRUE(filter.take_in(&module_).ok());
  EXPECT_EQ(in_set(filter), "010");
}

TEST_F(FilterTest, MissesAndLengths) {
  Filter filter;
  const std::string longest(4095, 'x'), longer(4096, 'x');
  EXPECT_EQ(filter.change("a", 1, true, " ", Filter::Misses::kRefused).error, EINVAL);
  EXPECT_EQ(filter.change("a:mod:b", 7, true, " ", Filter::Misses::kRefused).error, 0);
  EXPECT_EQ(change(&filter, longest.c_str(), true), 0);
  EXPECT_EQ(change(&filter, longer.c_str(), true), EINVAL);
  EXPECT_EQ(filter.change("filter_probe_one\0*", 18, true, " ", Filter::Misses::kAllowed).error, 0);
  ASSERT_TRUE(filter.take_in(&module_).ok());
  EXPECT_EQ(in_set(filter)[1], '1'); // a 0 separates, too
}

TEST_F(FilterTest, Copies) {
  Filter filter, copy;
  EXPECT_EQ(change(&filter, "filter_probe_one", true), 0);
  ASSERT_TRUE(filter.take_in(&module_).ok());
  ASSERT_TRUE(copy.copy(filter).ok());
  EXPECT_EQ(change(&filter, "probes::*", true), 0);
  ASSERT_TRUE(filter.take_in(&module_).ok());
  EXPECT_EQ(in_set(filter), "001");
  EXPECT_FALSE(copy.is_empty());
  copy.swap(filter);
  EXPECT_EQ(in_set(copy), "001");
}

TEST_F(FilterTest, AModuleWithoutAFileMatchesOnlyTheStar) {
  strcpy(module_.path, "/nonexistent");
  EXPECT_EQ(selected("filter_probe_one"), "000");
  EXPECT_EQ(selected("*"), "111");
}
