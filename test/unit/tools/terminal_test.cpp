// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines that are cut to the width of a terminal: lists of arguments are left out, never names or
// values.

#include "foundation/terminal.h"

#include <gtest/gtest.h>

using nophook::fit_line;

TEST(FitLine, LeavesOutTheLongestListFirst) {
  EXPECT_EQ(fit_line("a::map<int, std::pair<long, int>>::get<int>()", 40), "a::map<…>::get<int>()");
  EXPECT_EQ(fit_line("a::map<int, std::pair<long, int>>::get<longer>()", 20),
            "a::map<…>::get<…>()");
}

TEST(FitLine, KeepsWhatFits) {
  EXPECT_EQ(fit_line("a::map<int>::get()", 18), "a::map<int>::get()");
  EXPECT_EQ(fit_line("a::map<int>::get()", 0), "a::map<int>::get()");
}

TEST(FitLine, NeverCutsANameOrAValue) {
  EXPECT_EQ(fit_line("a_long_name_of_a_function(key=\"std::map<int, int>\")", 10),
            "a_long_name_of_a_function(key=\"std::map<int, int>\")");
  EXPECT_EQ(fit_line("get(key=\"a \\\" vector<int, int>\") set<int, long>()", 10),
            "get(key=\"a \\\" vector<int, int>\") set<…>()");
}

TEST(FitLine, OperatorsAndArrowsOpenNothing) {
  EXPECT_EQ(fit_line("operator<<(text) of operator<(a, b)", 10),
            "operator<<(text) of operator<(a, b)");
  EXPECT_EQ(fit_line("list<first, second>::operator-><int>()", 30), "list<…>::operator-><int>()");
  EXPECT_EQ(fit_line("luaV_execute <-luaD_call", 10), "luaV_execute <-luaD_call");
  EXPECT_EQ(fit_line("<Type as Trait<int, long>>::call", 10), "<Type as Trait<…>>::call");
}

TEST(FitLine, CountsColumnsNotBytes) {
  EXPECT_EQ(fit_line("grün<long>::get", 15), "grün<long>::get");
}

TEST(FitLine, AnOpenListStaysAsItIs) {
  EXPECT_EQ(fit_line("broken<int, long::get()", 10), "broken<int, long::get()");
}
