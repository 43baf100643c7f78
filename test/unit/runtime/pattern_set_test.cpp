// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The symbols that a list of patterns means, and the number of symbols that had to be demangled for
// it.

#include "ops/name_keys.h"
#include "ops/names.h"
#include "ops/pattern_set.h"
#include "sites/module.h"
#include "sites/symbols.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <string>
#include <vector>

using namespace nophook;

static size_t g_demanglings;

// Counts the calls. It hides the C++ library's function.
extern "C" char *__cxa_demangle(const char *name, char *buffer, size_t *bytes, int *status) {
  using Demangle = char *(const char *, char *, size_t *, int *);
  static auto *next = reinterpret_cast<Demangle *>(dlsym(RTLD_NEXT, "__cxa_demangle"));
  g_demanglings++;
  return next(name, buffer, bytes, status);
}

namespace {

// The numbers of the patterns that mean the symbol, as digits.
std::string meant(const std::vector<const char *> &patterns, const char *symbol) {
  static PatternSet set;
  set.clear();
  for (uint32_t i = 0; i < patterns.size(); i++)
    EXPECT_TRUE(set.add(patterns[i], kind_of_pattern(patterns[i]), i).ok());
  EXPECT_TRUE(set.prepare().ok());
  std::string numbers;
  set.match(
      symbol,
      [](void *to, uint32_t number) { *static_cast<std::string *>(to) += (char)('0' + number); },
      &numbers);
  std::ranges::sort(numbers);
  return numbers;
}

// app::make_name[abi:cxx11](int), app::Vec::operator*(int), int app::pick<int>(int)
constexpr char kTagged[] = "_ZN3app9make_nameB5cxx11Ei", kTimes[] = "_ZN3app3VecmlEi",
               kPick[] = "_ZN3app4pickIiEET_S1_";

} // namespace

TEST(PatternSet, NamesAreMeantAsLinkedAndAsShown) {
  EXPECT_EQ(meant({"main", "f", "main"}, "main"), "02");
  EXPECT_EQ(meant({kTagged, "app::make_name", "app::make_name(int)", "make_name"}, kTagged), "012");
  EXPECT_EQ(meant({"app::pick<int>", "int app::pick<int>(int)", "app::pick"}, kPick), "01");
  EXPECT_EQ(meant({"main"}, "_Z4mainv"), "0");
}

TEST(PatternSet, GlobsAreBesideNames) {
  EXPECT_EQ(meant({"app::*", "*pick*", "app::pick<int>", "x*"}, kPick), "012");
  EXPECT_EQ(meant({"ma?n", "main"}, "main"), "01");
}

TEST(PatternSet, WhatMayBeANameIsNoGlobHere) {
  EXPECT_EQ(kind_of_pattern("app::Vec::operator*"), PatternKind::kEither);
  EXPECT_EQ(kind_of_pattern("f<char [4]>"), PatternKind::kEither);
  EXPECT_EQ(kind_of_pattern("parse_*"), PatternKind::kGlob);
  EXPECT_EQ(kind_of_pattern("app::f(int)"), PatternKind::kName);
  EXPECT_EQ(meant({"app::Vec::operator*"}, kTimes), "0");
  EXPECT_EQ(meant({"app::Vec::operator*"}, "_ZN3app3VecmLEi"), ""); // operator*=
}

TEST(PatternSet, TagsAreTakenOutOfNames) {
  char name[] = "a::f[abi:cxx11][abi:v2](b[abi:c]) [clone";
  cut_abi_tags(name);
  EXPECT_STREQ(name, "a::f(b) [clone");
  char open[] = "a[abi:";
  cut_abi_tags(open);
  EXPECT_STREQ(open, "a[abi:");
}

// A thousand names on fifty thousand functions: members, and templates that differ by a number.
TEST(PatternSet, ForNamesOnlyTheirOwnSymbolsAreDemangled) {
  std::vector<std::string> symbols, names;
  for (int i = 0; i < 25000; i++) {
    symbols.push_back("_ZN3app10Thing" + std::to_string(10000 + i) + "3getEv");
    symbols.push_back("_ZN3app4workILi" + std::to_string(i) + "EEEvv");
  }
  for (int i = 0; i < 500; i++) {
    names.push_back("app::Thing" + std::to_string(10000 + 7 * i) + "::get");
    names.push_back("app::work<" + std::to_string(7 * i) + ">");
  }
  PatternSet set;
  for (uint32_t i = 0; i < names.size(); i++)
    ASSERT_TRUE(set.add(names[i].c_str(), kind_of_pattern(names[i].c_str()), i).ok());
  ASSERT_TRUE(set.prepare().ok());
  size_t hits = 0;
  g_demanglings = 0;
  for (const std::string &symbol : symbols)
    set.match(
        symbol.c_str(), [](void *count, uint32_t) { ++*static_cast<size_t *>(count); }, &hits);
  EXPECT_EQ(hits, names.size());
  EXPECT_LT(g_demanglings, 5000u);
  set.clear();
  ASSERT_TRUE(set.add(symbols[0].c_str(), PatternKind::kName, 0).ok());
  ASSERT_TRUE(set.prepare().ok());
  g_demanglings = 0;
  for (const std::string &symbol : symbols)
    set.match(
        symbol.c_str(), [](void *count, uint32_t) { ++*static_cast<size_t *>(count); }, &hits);
  EXPECT_EQ(hits, names.size() + 1);
  EXPECT_EQ(g_demanglings, 0u); // a linked name needs none
}

// No name of a real symbol is overlooked: all names in this program and in the libraries in
// NOPHOOK_TEST_SYMBOLS.
TEST(NameKeys, EachNameOfASymbolMayMeanIt) {
  static Module module;
  static NameKeys keys;
  size_t looked_at = 0;
  std::string paths = "/proc/self/exe";
  if (const char *more = getenv("NOPHOOK_TEST_SYMBOLS"))
    paths += std::string(":") + more;
  for (size_t at = 0, end; at < paths.size(); at = end + 1) {
    end = std::min(paths.find(':', at), paths.size());
    strcpy(module.path, paths.substr(at, end - at).c_str());
    ASSERT_TRUE(visit_symbols(
                    &module,
                    [](void *count, const char *symbol, uint64_t, uint64_t) {
                      DemangledNames names(symbol);
                      for (uint32_t i = 0; i < names.count(); i++) {
                        keys.clear();
                        keys.count(names[i]);
                        keys.add(names[i]);
                        EXPECT_TRUE(keys.may_mean(symbol, strlen(symbol))) << symbol << names[i];
                        ++*static_cast<size_t *>(count);
                      }
                    },
                    &looked_at)
                    .ok());
  }
  EXPECT_GT(looked_at, 1000u);
}
