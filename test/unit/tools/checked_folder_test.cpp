// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder that another user may exchange at any moment: all work is done in the folder that was
// opened, on files of its owner only, and with its owner's rights.

#include "synthetic.h"

#include "foundation/checked_folder.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

using namespace nophook;
using namespace nophook::test;

namespace {

constexpr uid_t kOther = 12345;

std::string text_of(const Result<RegularFile> &file) {
  std::string text(file ? file->size : 0, '\0');
  return file && read_all_at(file->fd.get(), 0, text.data(), text.size()) ? text : "none";
}

TEST(CheckedFolder, StaysTheOneThatWasOpened) {
  Folder folder;
  const std::string path = folder / "in", aside = folder / "aside", other = folder / "other";
  ASSERT_EQ(::mkdir(path.c_str(), 0700) | ::mkdir(other.c_str(), 0700), 0);
  write_file(path + "/file", "ours");
  write_file(other + "/file", "another's");
  const auto in = CheckedFolder::open(path);
  ASSERT_TRUE(in);
  ASSERT_EQ(::rename(path.c_str(), aside.c_str()) | ::symlink(other.c_str(), path.c_str()), 0);
  EXPECT_EQ(text_of(in->open_file("file", O_RDWR)), "ours");
  EXPECT_EQ(text_of(open_regular(in->entry("file"))), "ours");
  EXPECT_EQ(shown_path(in->entry("file")), aside + "/file");
}

TEST(CheckedFolder, OpensOnlyFilesOfOneName) {
  Folder folder;
  write_file(folder / "file", "text");
  ASSERT_EQ(::symlink("file", (folder / "link").c_str()), 0);
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  const auto in = CheckedFolder::of(folder / "file");
  ASSERT_TRUE(in);
  EXPECT_EQ(text_of(in->open_file("file", O_RDWR)), "text");
  EXPECT_NE(in->open_file("link", O_RDWR).error().problem.find("symbolic link"), std::string::npos);
  EXPECT_NE(in->open_file("fifo", O_RDWR).error().problem.find("regular"), std::string::npos);
  ASSERT_EQ(::link((folder / "file").c_str(), (folder / "second").c_str()), 0);
  EXPECT_NE(in->open_file("file", O_RDWR).error().problem.find("hard links"), std::string::npos);
}

TEST(CheckedFolder, OpensNoFileOfAThirdUser) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "root alone can make a file of another user";
  Folder folder;
  write_file(folder / "file", "text");
  const auto in = CheckedFolder::of(folder / "file");
  ASSERT_TRUE(in);
  ASSERT_EQ(::chown((folder / "file").c_str(), kOther, kOther), 0);
  EXPECT_NE(in->open_file("file", O_RDWR).error().problem.find("another user"), std::string::npos);
}

TEST(AsOwner, HasTheFoldersOwnersRightsAndNoOthers) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "for another user than root, nothing changes";
  Folder folder;
  const std::string path = folder / "theirs", secret = folder / "secret";
  ASSERT_EQ(::mkdir(path.c_str(), 0700) | ::chown(path.c_str(), kOther, kOther), 0);
  ASSERT_EQ(::chmod((folder / "").c_str(), 0755), 0);
  write_file(secret, "root's");
  const auto in = CheckedFolder::open(path);
  ASSERT_TRUE(in);
  {
    const AsOwner owner(*in);
    EXPECT_FALSE(FileDescriptor(::open(secret.c_str(), O_RDWR)).valid());
    EXPECT_NE(::unlink(secret.c_str()), 0);
    write_file(in->entry("made"), "");
  }
  struct stat about;
  ASSERT_EQ(::stat((path + "/made").c_str(), &about), 0);
  EXPECT_EQ(about.st_uid, kOther);
  EXPECT_EQ(about.st_gid, kOther);
  EXPECT_TRUE(FileDescriptor(::open(secret.c_str(), O_RDWR)).valid());
}

// In /tmp, and in a folder of root's that another user has put in the place of its own.
TEST(AsOwner, HasTheFilesOwnersRightsInAFolderOfRoots) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "for another user than root, nothing changes";
  Folder folder;
  write_file(folder / "file", "");
  const auto in = CheckedFolder::of(folder / "file");
  ASSERT_TRUE(in);
  struct stat file = {};
  file.st_uid = kOther;
  file.st_gid = kOther;
  const AsOwner owner(*in, file);
  EXPECT_NE(::unlink((folder / "file").c_str()), 0);
}

} // namespace
