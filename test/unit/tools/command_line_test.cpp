// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work that a compiler's command line requests.

#include "build/cc/command_line.h"

#include <gtest/gtest.h>
#include <sstream>

namespace nophook {
namespace {

CommandLine read(const std::string &text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return read_command_line(words);
}

TEST(command_line, links_what_it_can_link) {
  for (const char *line :
       {"a.c", "a.o", "a.o -o a", "-shared a.o", "lib.so.1", "unknown", "-lm", "-Wl,--gc-sections",
        "-x c -", "-x c a.c -x none b.o", "-- a.c", "a.h b.c", "-o -c a.o", "-MD -MF x.d a.c",
        "--target=x86_64-linux-gnu a.c"})
    EXPECT_TRUE(read(line).links) << line;
}

TEST(command_line, stops_before_the_link) {
  for (const char *line : {"-c a.c",
                           "a.c -S",
                           "-E a.c",
                           "-M a.c",
                           "-MM a.c",
                           "--compile a.c",
                           "--assemble a.c",
                           "--preprocess a.c",
                           "-fsyntax-only a.c",
                           "--analyze a.c",
                           "-emit-ast a.c",
                           "--precompile a.cppm",
                           "-r a.o",
                           "-Wl,-r a.o",
                           "-Wl,-z,now,--relocatable a.o",
                           "-Xlinker -i a.o",
                           "a.h",
                           "-x c++-header a",
                           "-- a.h",
                           "-fmodule-header a.h"})
    EXPECT_FALSE(read(line).links) << line;
}

TEST(command_line, no_input_is_a_question) {
  for (const char *line :
       {"", "--version", "-v", "-print-file-name=crt1.o", "-dumpmachine", "-O2"}) {
    EXPECT_FALSE(read(line).has_inputs) << line;
    EXPECT_FALSE(read(line).links) << line;
  }
  EXPECT_TRUE(read("-E -").has_inputs);
}

TEST(command_line, values_are_no_inputs) {
  for (const char *line :
       {"-o a.c", "-I a.c", "-include a.h -MF a.d", "-Xclang a.c", "-T a.c -L b"})
    EXPECT_FALSE(read(line).has_inputs) << line;
}

TEST(command_line, runs_without_front_end) {
  for (const char *line :
       {"-c a.ll", "-c a.bc", "-x ir a", "-save-temps a.c", "-save-temps=obj a.c"})
    EXPECT_TRUE(read(line).skips_front_end) << line;
  for (const char *line : {"-c a.c", "-c a.s", "a.o", "a.h", "-emit-llvm -c a.c"})
    EXPECT_FALSE(read(line).skips_front_end) << line;
}

TEST(command_line, target) {
  for (const char *line : {"a.c", "-m64 a.c", "--target=x86_64-alpine-linux-musl a.c",
                           "-m32 -m64 a.c", "-target x86_64-pc-linux a.c"}) {
    EXPECT_TRUE(read(line).can_trace) << line;
    EXPECT_TRUE(read(line).can_link) << line;
  }
  EXPECT_EQ(read("a.c").target, "");
  for (const char *line : {"--target=aarch64-linux-gnu a.c", "-target aarch64-linux-gnu a.c",
                           "--target=arm64-linux-musl a.c"}) {
    EXPECT_TRUE(read(line).can_trace) << line;
    EXPECT_TRUE(read(line).can_link) << line;
    EXPECT_EQ(read(line).target, "aarch64-linux-gnu") << line;
    EXPECT_EQ(read(line).foreign_target, "") << line;
  }
  EXPECT_EQ(read_command_line({"a.c"}, "aarch64-linux-gnu-gcc-12").target, "aarch64-linux-gnu");
  EXPECT_EQ(read("--target=riscv64-linux-gnu a.c").foreign_target, "riscv64-unknown-linux-gnu");
  EXPECT_EQ(read("-m32 a.c").foreign_target, ""); // build systems use it to query a compiler
  EXPECT_FALSE(read("--target=x86_64-none-elf a.c").can_link);
  for (const char *line : {"-m32 a.c", "-mx32 a.c", "-m16 a.c", "--target=i686-linux-gnu a.c",
                           "--target=x86_64-linux-gnux32 a.c", "--target=arm64-apple-macosx a.c",
                           "--target=x86_64-w64-mingw32 a.c", "--target=riscv64-linux-gnu a.c",
                           "--target=aarch64_be-linux-gnu a.c",
                           "--target=aarch64-linux-gnu_ilp32 a.c", "--driver-mode=cl a.c"})
    EXPECT_FALSE(read(line).can_trace) << line;
}

TEST(command_line, linker) {
  EXPECT_EQ(read("a.o").linker, Linker::kGnu);
  EXPECT_EQ(read("a.o -fuse-ld=bfd").linker, Linker::kGnu);
  EXPECT_EQ(read("a.o -fuse-ld=lld").linker, Linker::kLld);
  EXPECT_EQ(read("a.o --ld-path=/opt/ld.lld-22").linker, Linker::kLld);
  EXPECT_EQ(read("a.o -fuse-ld=gold").linker, Linker::kWithoutScripts);
  EXPECT_EQ(read("a.o -fuse-ld=lld --ld-path=/usr/bin/mold").linker, Linker::kWithoutScripts);
}

TEST(command_line, what_is_there_already) {
  EXPECT_TRUE(read("-fplugin=/x/NophookPass.so -c a.c").has_plugin);
  EXPECT_FALSE(read("-fplugin=/x/Other.so -c a.c").has_plugin);
  EXPECT_TRUE(read("a.o /x/nophook_module.o").has_module);
  EXPECT_TRUE(read("a.o /x/nophook_module_by_name.o -fuse-ld=mold").has_module);
  EXPECT_TRUE(read("a.o -Wl,/x/nophook_module.o").has_module);
  EXPECT_FALSE(read("a.o").has_module);
  EXPECT_TRUE(read("a.o -Wl,-u,nophook_register_module").has_runtime);
  EXPECT_TRUE(read("a.o -u nophook_register_module").has_runtime);
  for (const char *line : {"a.o -Wl,-z,nopack-relative-relocs", "a.o -z pack-relative-relocs",
                           "a.o -Wl,--pack-dyn-relocs=none"})
    EXPECT_TRUE(read(line).packs_relocations) << line;
  EXPECT_FALSE(read("a.o").packs_relocations);
  EXPECT_EQ(read("-fplugin-arg-nophook-exclude=a.list -fplugin-arg-nophook-min-size=3 a.c").lists,
            std::vector<std::string>{"a.list"});
}

} // namespace
} // namespace nophook
