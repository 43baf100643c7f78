// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Globs against a table, and against fnmatch, which means the same as long as there is no
// backslash or named class in brackets.

#include "ops/glob.h"

#include <gtest/gtest.h>

#include <fnmatch.h>
#include <random>
#include <string>

using nophook::glob_match;

TEST(Glob, Table) {
  const struct {
    const char *pattern, *text;
    bool matches;
  } kTable[] = {
      {"", "", true},
      {"", "a", false},
      {"a", "", false},
      {"*", "", true},
      {"**", "", true},
      {"?", "", false},
      {"a*", "a", true},
      {"*a", "ba", true},
      {"*a*b*", "xaxbx", true},
      {"*a*b*", "xbxax", false},
      {"a?c", "abc", true},
      {"a?c", "ac", false},
      {"[a-c]", "b", true},
      {"[a-c]", "d", false},
      {"[!a-c]", "d", true},
      {"[^a-c]", "b", false},
      {"[]]", "]", true},
      {"[!]]", "]", false},
      {"[a-]", "-", true},
      {"[-a]", "-", true},
      {"[c-a]", "b", false},
      {"[abc", "[abc", true},
      {"[", "[", true},
      {"x[", "x[", true},
      {"\\*", "*", true},
      {"\\*", "a", false},
      {"\\\\", "\\", true},
      {"a\\", "a\\", true},
      {"\\[a]", "[a]", true},
      {"[\\]", "\\", true},
      {"*.c", ".c.c", true},
      {"*ab", "aab", true},
      {"a*a*a*b", "aaaaaaaa", false},
      {"/*", "/a/b", true},
      {"?", "\xff", true},
      {"[\x80-\xff]", "\xc3", true},
  };
  for (const auto &row : kTable)
    EXPECT_EQ(glob_match(row.pattern, row.text), row.matches) << row.pattern << " " << row.text;
}

TEST(Glob, IsWhatFnmatchDoes) {
  std::mt19937 random(1);
  auto text_of = [&](const char *alphabet, size_t count, size_t longest) {
    std::string text(random() % (longest + 1), ' ');
    for (char &c : text)
      c = alphabet[random() % count];
    return text;
  };
  int matches = 0;
  for (int i = 0; i < 300000; i++) {
    std::string pattern = text_of("aabbc**?[[]]!-", 14, 9), text = text_of("aabbc[]!-", 9, 7);
    bool wanted = fnmatch(pattern.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
    ASSERT_EQ(glob_match(pattern.c_str(), text.c_str()), wanted) << pattern << " " << text;
    matches += wanted;
  }
  EXPECT_GT(matches, 5000);
}

TEST(Glob, TakesLinearSteps) {
  const std::string text(100000, 'a');
  std::string pattern;
  for (int i = 0; i < 50; i++)
    pattern += "*a";
  EXPECT_TRUE(glob_match(pattern.c_str(), text.c_str()));
  EXPECT_FALSE(glob_match((pattern + "b").c_str(), text.c_str())); // or for ever
}
