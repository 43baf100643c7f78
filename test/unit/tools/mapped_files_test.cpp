// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that becomes shorter while it is mapped ends the command with a message, not by SIGBUS.

#include "synthetic.h"

#include "foundation/file.h"
#include "foundation/mapped_files.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace nophook;
using namespace nophook::test;

namespace {

void read_after_cut(const std::string &path) {
  report_shrunken_files();
  auto file = MappedFile::open(path);
  if (file && ::truncate(path.c_str(), 0) == 0)
    ::_exit(*static_cast<const volatile uint8_t *>(file->bytes().data()) + 2);
}

TEST(MappedFiles, ACutFileIsAnError) {
  Folder folder;
  std::string path = folder / "cut";
  ASSERT_EQ(::close(::creat(path.c_str(), 0600)), 0);
  ASSERT_EQ(::truncate(path.c_str(), 8192), 0);
  EXPECT_EXIT(read_after_cut(path), testing::ExitedWithCode(1),
              "nophook: .*/cut: became shorter while it was read");
}

// A SIGBUS for another reason than such a file stays a SIGBUS.
TEST(MappedFiles, AnotherBusErrorIsNotExplained) {
  auto fault = [] {
    report_shrunken_files();
    FILE *file = tmpfile();
    void *at = ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fileno(file), 0);
    ::_exit(*static_cast<const volatile uint8_t *>(at) + 2);
  };
  EXPECT_EXIT(fault(), testing::KilledBySignal(SIGBUS), "");
}

} // namespace
