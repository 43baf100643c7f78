// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Colours of the parts of a line; the line without its codes stays the same.

#include "show/print/colours.h"

#include <gtest/gtest.h>

using nophook::coloured_line;

namespace {

// The line with its codes as words: `{red}`.
std::string painted(const std::string &line) {
  std::string text = coloured_line(line), plain = text;
  for (auto [code, word] : {std::pair("\033[0m", "{}"),
                            {"\033[1m", "{bold}"},
                            {"\033[2m", "{dim}"},
                            {"\033[31m", "{red}"},
                            {"\033[33m", "{yellow}"}})
    for (size_t at; (at = text.find(code)) != text.npos;) {
      text.replace(at, std::string_view(code).size(), word);
      plain.erase(plain.find(code), std::string_view(code).size());
    }
  EXPECT_EQ(plain, line);
  return text;
}

TEST(Colours, CommentsAndHeads) {
  EXPECT_EQ(painted("# tracer: function_graph"), "{dim}# tracer: function_graph{}");
  EXPECT_EQ(painted(" 1)   2.000 us    |  } /* main */"),
            " 1)   2.000 us    |  } {dim}/* main */{}");
  EXPECT_EQ(painted("  Time %         Total       Calls  Function"),
            "{bold}  Time %         Total       Calls  Function{}");
}

TEST(Colours, LongDurations) {
  EXPECT_EQ(painted(" 1)   2.000 us    |  get();"), " 1)   2.000 us    |  get();");
  EXPECT_EQ(painted(" 1) + 22.000 us   |  get();"), " 1) + 22.000 us   |  get();");
  EXPECT_EQ(painted(" 1) ! 222.000 us  |  get();"), " 1) {yellow}! 222.000 us{}  |  get();");
  EXPECT_EQ(painted(" 1) # 2222.000 us |  } /* get */"),
            " 1) {yellow}# 2222.000 us{} |  } {dim}/* get */{}");
  EXPECT_EQ(painted(" 1) * 22222.000 us |  get();"), " 1) {red}* 22222.000 us{} |  get();");
}

TEST(Colours, PartsOfTheTime) {
  EXPECT_EQ(painted("   52.5%    965.398 us  get"), "   {red}52.5%{}    965.398 us  get");
  EXPECT_EQ(painted("    2.5%    965.398 us  get"), "    {yellow}2.5%{}    965.398 us  get");
  EXPECT_EQ(painted("    0.5%    965.398 us  get"), "    0.5%    965.398 us  get");
}

TEST(Colours, OddLinesStayAsTheyAre) {
  for (const char *line :
       {"", " ", "%", " us ", "5 us ", "main", "/*", "*/", "  a", "52.5", " 1)  x us  |", "  %"})
    EXPECT_EQ(painted(line).find('\033'), std::string::npos) << line;
}

} // namespace
