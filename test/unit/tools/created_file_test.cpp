// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Root writes an output through no link of another user, and empties no file of another user that
// has several names. Its own links, and those of others who are not root, lead on.

#include "synthetic.h"

#include "foundation/created_file.h"
#include "foundation/output_place.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace nophook;
using namespace nophook::test;

namespace {

constexpr uid_t kOther = 12345;

TEST(CreatedFile, IsEmptiedIfItIsThere) {
  Folder folder;
  const std::string path = folder / "file";
  for (int round = 0; round < 2; round++) {
    auto file = create_file(path, 0600);
    ASSERT_TRUE(file);
    struct stat about;
    ASSERT_EQ(::fstat(file->get(), &about), 0);
    EXPECT_EQ(about.st_size, 0);
    EXPECT_EQ(about.st_mode & 0777, 0600u);
    ASSERT_TRUE(write_all(file->get(), "text", 4));
  }
  ASSERT_EQ(::symlink("file", (folder / "link").c_str()), 0);
  EXPECT_TRUE(create_file(folder / "link"));
  EXPECT_EQ(create_file(folder / "no/file").error().problem,
            "cannot be created: No such file or directory");
}

TEST(CreatedFile, IsNoLinkOfAnotherUserForRoot) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "root alone can make a link of another user";
  Folder folder;
  const std::string path = folder / "file", link = folder / "link", second = folder / "second";
  auto file = create_file(path);
  ASSERT_TRUE(file && write_all(file->get(), "text", 4));
  ASSERT_EQ(::symlink("file", link.c_str()) | ::lchown(link.c_str(), kOther, kOther), 0);
  EXPECT_NE(create_file(link).error().problem.find("is a link of user 12345"), std::string::npos);
  EXPECT_FALSE(OutputPlace::find(link, ""));
  const std::string in_folder = folder / "link/file";
  ASSERT_EQ(::unlink(link.c_str()) | ::symlink(".", link.c_str()) |
                ::lchown(link.c_str(), kOther, kOther),
            0);
  EXPECT_NE(create_file(in_folder).error().problem.find("is a link of user 12345"),
            std::string::npos);
  ASSERT_EQ(::link(path.c_str(), second.c_str()) | ::chown(path.c_str(), kOther, kOther), 0);
  EXPECT_NE(create_file(second).error().problem.find("several names"), std::string::npos);
  struct stat about;
  ASSERT_EQ(::stat(path.c_str(), &about), 0);
  EXPECT_EQ(about.st_size, 4);
}

} // namespace
