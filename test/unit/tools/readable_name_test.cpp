// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Readable names of 200 functions of libstdc++, libc++, boost, abseil, spdlog with fmt, Rust's std
// and programs that use them: each linked name, followed by the text that is shown, indented.

#include "read/symbols/readable_name.h"

#include <fstream>
#include <gtest/gtest.h>

using nophook::readable_name;

TEST(ReadableName, OfRealLibraries) {
  std::ifstream table(NOPHOOK_TEST_INPUTS "/readable_names.txt");
  std::string linked, shown;
  int names = 0;
  for (; std::getline(table, linked) && std::getline(table, shown); names++) {
    ASSERT_TRUE(shown.starts_with("    "));
    EXPECT_EQ(readable_name(linked), shown.substr(4)) << linked;
  }
  EXPECT_EQ(names, 200);
}

TEST(ReadableName, OfRustVersionZero) {
  EXPECT_EQ(readable_name("_RNvMNtCsdXdlMlRz0Yv_5alloc3vecINtB2_3VechE4push"),
            "<alloc::vec::Vec<u8>>::push");
  EXPECT_EQ(readable_name("_RNCNvC7mycrate4main0B3_"), "mycrate::main::{closure#0}");
}

TEST(ReadableName, ClangsNameOfALocalLambda) {
  EXPECT_EQ(readable_name("_ZZ4mainENK3$_0clEv"), "main::{lambda#1}");
  EXPECT_EQ(readable_name("_ZZ4mainENK3$_1clEv"), "main::{lambda#2}");
}

// Arguments that only look like defaults are the author's choice.
TEST(ReadableName, KeepsWhatIsNoDefault) {
  EXPECT_EQ(readable_name("_ZNSt3setIlSt4lessIvESaIlEE5clearEv"),
            "std::set<long, std::less<void>>::clear");
  EXPECT_EQ(readable_name("_ZNSt6vectorISaIiESaIS0_EE5clearEv"),
            "std::vector<std::allocator<int>>::clear");
  EXPECT_EQ(readable_name("_ZN3app5__cxx3runEv"), "app::__cxx::run");
}

TEST(ReadableName, OfWhatIsNoMangledName) {
  EXPECT_EQ(readable_name("main"), "main");
  EXPECT_EQ(readable_name("_Zebra"), "_Zebra");
  EXPECT_EQ(readable_name(""), "");
}

// LLVM's demangler does not know this one; the C++ library's does.
TEST(ReadableName, OfAConversionToAString) {
  EXPECT_EQ(readable_name("_ZNK4llvm11SmallStringILj16EEcvNSt7__cxx1112basic_stringIcSt11char_"
                          "traitsIcESaIcEEEEv"),
            "llvm::SmallString<16u>::operator std::string");
}
