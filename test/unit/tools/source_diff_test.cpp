// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files and lines that a diff changes.

#include "patch/source_diff.h"

#include <gtest/gtest.h>

namespace nophook {
namespace {

using Lines = std::vector<unsigned>;

std::vector<DiffFile> files_of(const std::string &text) {
  auto files = parse_diff(text);
  EXPECT_TRUE(files) << files.error().text();
  return files ? *files : std::vector<DiffFile>();
}

std::string problem_of(const std::string &text) {
  auto files = parse_diff(text);
  return files ? "" : files.error().text();
}

TEST(source_diff, reads_names_and_lines) {
  const auto files = files_of("diff -ru old/a.c new/a.c\n"
                              "--- old/a.c\t2024-01-01 00:00:00\n"
                              "+++ new/a.c\t2024-01-02 00:00:00\n"
                              "@@ -3,4 +3,5 @@ main()\n"
                              " 3\n"
                              "-4\n"
                              "+new 4\n"
                              "+new 5\n"
                              " 5\n"
                              " 6\n"
                              "@@ -20 +21,0 @@\n"
                              "-20\n");
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].before, "old/a.c");
  EXPECT_EQ(files[0].after, "new/a.c");
  EXPECT_EQ(files[0].lines, (Lines{4, 5, 21}));
}

TEST(source_diff, knows_new_and_removed_files) {
  const auto files = files_of("--- /dev/null\n+++ b/new.c\n@@ -0,0 +1 @@\n+1\n"
                              "--- \"a/o\\\"ld.c\"\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n");
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].before, "");
  EXPECT_EQ(files[0].after, "b/new.c");
  EXPECT_EQ(files[1].before, "a/o\"ld.c");
  EXPECT_EQ(files[1].after, "");
}

TEST(source_diff, lines_that_look_like_a_header_are_text) {
  const auto files =
      files_of("--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- comment\n+++ more\n \n"
               "\\ No newline at end of file\n");
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].lines, Lines{1});
}

TEST(source_diff, refuses_what_it_cannot_apply) {
  EXPECT_NE(problem_of("no diff\n").find("has no changes"), std::string::npos);
  EXPECT_NE(problem_of("--- a\n+++ b\n@@ -1,2 +1,2 @@\n-1\n").find("cut off"), std::string::npos);
  EXPECT_NE(problem_of("--- a\n+++ b\n@@ -1,2 +1 @@\n-1\n+1\n+2\n").find("damaged"),
            std::string::npos);
  EXPECT_NE(problem_of("--- a\n+++ b\n@@ -x +1 @@\n").find("header of a hunk"), std::string::npos);
  EXPECT_NE(problem_of("--- a\n+++ b\n@@ -1 +4294967295 @@\n-1\n+1\n").find("header of a hunk"),
            std::string::npos);
  EXPECT_NE(problem_of("--- a\n+++ b\n@@ -9 +9 @@\n-9\n+9\n@@ -1 +1 @@\n-1\n+1\n").find("in front"),
            std::string::npos);
  EXPECT_NE(problem_of("--- /dev/null\n+++ /dev/null\n").find("names no file"), std::string::npos);
  EXPECT_NE(problem_of("Binary files a/x and b/x differ\n").find("line 1: changes a binary"),
            std::string::npos);
  EXPECT_NE(problem_of("rename from a\n").find("renames"), std::string::npos);
}

TEST(source_diff, strips_folders) {
  EXPECT_EQ(stripped_name("a/src/x.c", 0), "a/src/x.c");
  EXPECT_EQ(stripped_name("a/src/x.c", 1), "src/x.c");
  EXPECT_EQ(stripped_name("a//src/x.c", 1), "src/x.c");
  EXPECT_EQ(stripped_name("a/src/x.c", 3), "");
}

} // namespace
} // namespace nophook
