// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of commands in compile_commands.json, and the work that they request from a compiler.

#include "synthetic.h"

#include "patch/compile_commands.h"
#include "patch/unit_compile.h"

#include <gtest/gtest.h>

#include <fstream>

namespace nophook {
namespace {

using Words = std::vector<std::string>;

Unit unit_of(const std::string &command) {
  return {"/tree/a.c", "/tree", split_command(command)};
}

TEST(compile_commands, splits_as_a_shell_does) {
  EXPECT_EQ(split_command("cc  -O2\t-c a.c\n"), (Words{"cc", "-O2", "-c", "a.c"}));
  EXPECT_EQ(split_command(R"(cc "-DA=\"x y\"" -DB='$z\n' -D\ C "" a\\b)"),
            (Words{"cc", R"(-DA="x y")", R"(-DB=$z\n)", "-D C", "", R"(a\b)"}));
  EXPECT_EQ(split_command(R"(-DV=\"1\" "a\d")"), (Words{R"(-DV="1")", R"(a\d)"}));
  EXPECT_EQ(split_command(" "), Words());
}

// A list as bear writes it: the compiler runs itself.
TEST(compile_commands, leaves_out_what_the_compiler_runs_itself) {
  test::Folder folder;
  const std::string path = folder / "compile_commands.json";
  std::ofstream(path) << R"([
    {"directory": "/t", "file": "a.c", "arguments": ["/usr/bin/clang", "-cc1", "-o", "a.o", "a.c"]},
    {"directory": "/t", "file": "a.c", "command": "clang -c a.c"},
    {"directory": "/t", "file": "b.s", "command": "clang -cc1as b.s"}])";
  const auto units = read_compile_commands(path);
  ASSERT_TRUE(units);
  ASSERT_EQ(units->size(), 1u);
  EXPECT_EQ(units->front().words, (Words{"clang", "-c", "a.c"}));
}

TEST(compile_commands, replaces_outputs) {
  EXPECT_EQ(compile_command(unit_of("ccache clang -MD -MT a.o -MF a.d -O2 -oa.o -c a.c"), {"-X"},
                            "/out.o"),
            (Words{"clang", "-O2", "a.c", "-X", "-w", "-Wno-unused-command-line-argument", "-c",
                   "-o", "/out.o"}));
  EXPECT_EQ(
      compile_command(unit_of("clang -c -o a.o -- a.c"), {}, "o"),
      (Words{"clang", "-w", "-Wno-unused-command-line-argument", "-c", "-o", "o", "--", "a.c"}));
}

TEST(compile_commands, reads_rules_for_make) {
  EXPECT_EQ(dependencies_in("a.o: a.c ../in\\ c/x.h \\\n /usr/y.h\n", "/tree/src"),
            (Words{"/tree/src/a.c", "/tree/in c/x.h", "/usr/y.h"}));
}

TEST(compile_commands, refuses_other_compilers) {
  EXPECT_EQ(refusal_of(unit_of("nophook cc -c a.c")), "");
  EXPECT_EQ(refusal_of(unit_of("/usr/bin/clang++-22 -flto=thin -fno-lto -c a.cc")), "");
  EXPECT_NE(refusal_of(unit_of("ccache gcc-12 -c a.c")).find("gcc-12"), std::string::npos);
  EXPECT_NE(refusal_of(unit_of("clang -flto=thin -c a.c")).find("-flto"), std::string::npos);
  Unit assembly = unit_of("clang -c a.S");
  assembly.file = "/tree/a.S";
  EXPECT_NE(refusal_of(assembly).find("assembly"), std::string::npos);
}

TEST(compile_commands, knows_positions) {
  EXPECT_TRUE(is_pic(unit_of("clang -c a.c")));
  EXPECT_FALSE(is_pic(unit_of("clang -fPIE -fno-pic -c a.c")));
  EXPECT_TRUE(is_pic(unit_of("clang -fno-pie -fPIC -c a.c")));
}

} // namespace
} // namespace nophook
