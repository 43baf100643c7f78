// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The site table that `list` reads: a small ELF file made by hand, right and wrong.

#include "synthetic.h"

#include "read/symbols/site_table.h"

#include <nophook/site.h>

#include <gtest/gtest.h>

using namespace nophook;
using namespace nophook::test;

namespace {

// One page: ELF header, two program headers, note, table, descriptors, code. Loaded at 0x10000.
constexpr uint64_t kBase = 0x10000;
struct File {
  llvm::ELF::Elf64_Ehdr header = {};
  llvm::ELF::Elf64_Phdr load = {}, note = {};
  struct {
    uint32_t before = 0; // the note is 4 bytes on, so that its descriptor is aligned
    uint32_t name_bytes = sizeof name, desc_bytes = sizeof desc, type = NOPHOOK_NOTE_TYPE;
    char name[8] = NOPHOOK_NOTE_NAME;
    nophook_note desc = {};
  } notes;
  uint64_t sites[3] = {};
  nophook_args args[2] = {};
  nophook_site distances[3] = {};
  uint8_t code[64] = {};
};
static_assert(offsetof(File, sites) % 8 == 0);

uint64_t address(const File &file, const void *member) {
  return kBase +
         (uint64_t)(static_cast<const char *>(member) - reinterpret_cast<const char *>(&file));
}

int64_t distance(const File &file, const void *to, const int64_t *from) {
  return (int64_t)(address(file, to) - address(file, from));
}

void put_nop(uint8_t *code) {
  const uint8_t nop[] = {0x0f, 0x1f, 0x44, 0x00, 0x08};
  std::memcpy(code, nop, sizeof nop);
}

// Three functions of 16 bytes; the second begins with endbr64; the third has no descriptor.
File good_file() {
  using namespace llvm::ELF;
  File file;
  std::memcpy(file.header.e_ident, ElfMagic, 4);
  file.header.e_ident[EI_CLASS] = ELFCLASS64;
  file.header.e_ident[EI_DATA] = ELFDATA2LSB;
  file.header.e_ident[EI_VERSION] = 1;
  file.header.e_type = ET_EXEC;
  file.header.e_machine = EM_X86_64;
  file.header.e_version = 1;
  file.header.e_phoff = offsetof(File, load);
  file.header.e_ehsize = sizeof file.header;
  file.header.e_phentsize = sizeof file.load;
  file.header.e_phnum = 2;
  file.load.p_type = PT_LOAD;
  file.load.p_flags = PF_R | PF_X;
  file.load.p_vaddr = kBase;
  file.load.p_filesz = file.load.p_memsz = sizeof file;
  file.note.p_type = PT_NOTE;
  file.note.p_align = 4;
  file.note.p_offset = offsetof(File, notes) + 4;
  file.note.p_vaddr = kBase + file.note.p_offset;
  file.note.p_filesz = file.note.p_memsz = sizeof file.notes - 4;
  file.notes.desc.mcount_start = distance(file, file.sites, &file.notes.desc.mcount_start);
  file.notes.desc.mcount_stop = distance(file, file.sites + 3, &file.notes.desc.mcount_stop);
  file.notes.desc.args_start = distance(file, file.args, &file.notes.desc.args_start);
  file.notes.desc.args_stop = distance(file, file.args + 2, &file.notes.desc.args_stop);
  put_nop(file.code);
  const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
  std::memcpy(file.code + 16, endbr64, 4);
  put_nop(file.code + 20);
  put_nop(file.code + 32);
  file.sites[0] = address(file, file.code + 32);
  file.sites[1] = address(file, file.code + 20);
  file.sites[2] = address(file, file.code);
  for (int i : {0, 1}) {
    file.args[i].pc = (int32_t)(address(file, file.code + 16 * i) - address(file, &file.args[i]));
    file.args[i].size = 16;
  }
  file.args[0].call = NOPHOOK_ARGS_CALL(NOPHOOK_CALL_THROUGH, 0, 0);
  file.args[1].call = NOPHOOK_ARGS_CALL(NOPHOOK_CALL_COPY, 0, 24);
  return file;
}

class SiteTableTest : public testing::Test {
protected:
  SiteTable read(const File &file, size_t bytes = sizeof(File)) {
    write_file(folder / "elf", std::string(reinterpret_cast<const char *>(&file), bytes));
    auto image = ElfImage::open(folder / "elf");
    return image ? read_sites(*image) : SiteTable();
  }
  Folder folder;
  File file = good_file();
};

TEST_F(SiteTableTest, SitesComeSortedWithTheirDescriptors) {
  SiteTable table = read(file);
  EXPECT_TRUE(table.has_note);
  EXPECT_EQ(table.damage, "");
  EXPECT_EQ(table.bad_entries, 0u);
  ASSERT_EQ(table.sites.size(), 3u);
  EXPECT_EQ(table.sites[0].address, address(file, file.code));
  EXPECT_EQ(how_text(table.sites[0]), "call-through");
  EXPECT_EQ(table.sites[1].address, address(file, file.code + 20));
  EXPECT_EQ(table.sites[1].start, address(file, file.code + 16));
  EXPECT_EQ(how_text(table.sites[1]), "call-through, copies 24 bytes");
  EXPECT_EQ(how_text(table.sites[2]), "entry only: no descriptor");
}

TEST_F(SiteTableTest, AnEntryMayPointBeforeTheLandingPad) {
  file.sites[1] -= 4;
  SiteTable table = read(file);
  ASSERT_EQ(table.sites.size(), 3u);
  EXPECT_EQ(table.sites[1].address, address(file, file.code + 20));
}

TEST_F(SiteTableTest, OfAArch64ASiteIsOneNopBehindItsBti) {
  const uint32_t code[] = {0xd503201f, 0, 0, 0, 0xd503245f, 0xd503201f, 0, 0, 0xd503233f};
  std::memset(file.code, 0, sizeof file.code);
  std::memcpy(file.code, code, sizeof code); // nop; bti c, nop; paciasp
  file.header.e_machine = llvm::ELF::EM_AARCH64;
  file.sites[1] -= 4;
  SiteTable table = read(file);
  ASSERT_EQ(table.sites.size(), 2u);
  EXPECT_EQ(table.sites[0].address, address(file, file.code));
  EXPECT_EQ(table.sites[1].address, address(file, file.code + 20));
  EXPECT_EQ(how_text(table.sites[1]), "call-through, copies 24 bytes");
  EXPECT_EQ(table.bad_entries, 1u);
}

TEST_F(SiteTableTest, EachSiteCountsOnce) {
  file.sites[1] = file.sites[2];
  EXPECT_EQ(read(file).sites.size(), 2u);
}

TEST_F(SiteTableTest, EntriesThatPointAtNoSiteAreCounted) {
  file.sites[0] += 1;           // not at the NOP
  file.sites[1] = 0x123456789a; // nowhere
  SiteTable table = read(file);
  EXPECT_EQ(table.sites.size(), 1u);
  EXPECT_EQ(table.bad_entries, 2u);
}

TEST_F(SiteTableTest, BoundsOfALinkWithoutScriptAreNoTable) {
  nophook_note &note = file.notes.desc;
  note.mcount_start = -(int64_t)address(file, &note.mcount_start);
  note.mcount_stop = -(int64_t)address(file, &note.mcount_stop);
  note.args_start = -(int64_t)address(file, &note.args_start);
  note.args_stop = -(int64_t)address(file, &note.args_stop);
  SiteTable table = read(file);
  EXPECT_TRUE(table.has_note);
  EXPECT_TRUE(table.sites.empty());
  EXPECT_EQ(table.damage, "");
}

TEST_F(SiteTableTest, BoundsOutsideOfTheFileAreDamage) {
  file.notes.desc.mcount_stop += 1 << 20;
  EXPECT_NE(read(file).damage, "");
  file = good_file();
  file.notes.desc.mcount_stop -= 4;
  EXPECT_NE(read(file).damage, "");
}

TEST_F(SiteTableTest, DistancesLeadToFunctionsBesideAddresses) {
  file.notes.desc.mcount_stop = distance(file, file.sites + 1, &file.notes.desc.mcount_stop);
  file.notes.desc.rel_start = distance(file, file.distances, &file.notes.desc.rel_start);
  file.notes.desc.rel_stop = distance(file, file.distances + 3, &file.notes.desc.rel_stop);
  const int functions[] = {16, 32, 0}; // the second one is in the other table, too
  for (int i : {0, 1, 2}) {
    const uint64_t from = address(file, &file.distances[i]);
    file.distances[i] = {(int32_t)(address(file, file.code + functions[i]) - from), 16};
  }
  SiteTable table = read(file);
  EXPECT_EQ(table.damage, "");
  ASSERT_EQ(table.sites.size(), 3u);
  EXPECT_EQ(table.sites[0].address, address(file, file.code));
  EXPECT_EQ(table.sites[1].address, address(file, file.code + 20));
  EXPECT_EQ(table.sites[2].address, address(file, file.code + 32));
  file.distances[2].distance += 1 << 20;
  EXPECT_EQ(read(file).bad_entries, 1u);
  file.notes.desc.rel_stop += 4;
  EXPECT_NE(read(file).damage, "");
}

TEST_F(SiteTableTest, DamagedDescriptorsAreTold) {
  file.args[1].call = NOPHOOK_ARGS_CALL(NOPHOOK_CALL_COPY, 0, NOPHOOK_COPY_MAX_BYTES + 8);
  SiteTable table = read(file);
  EXPECT_NE(table.damage, "");
  EXPECT_EQ(how_text(table.sites[1]), "entry only: no descriptor");
}

TEST_F(SiteTableTest, ADescriptorHoldsForItsOwnFunctionOnly) {
  file.args[0].size = 0; // before the site
  file.args[1].size = 4; // the landing pad only
  SiteTable table = read(file);
  EXPECT_EQ(how_text(table.sites[0]), "entry only: no descriptor");
  EXPECT_EQ(how_text(table.sites[1]), "entry only: no descriptor");
}

TEST_F(SiteTableTest, DescriptorsOfAnotherVersionAreAbsent) {
  file.args[0].call += 1 << 16;
  EXPECT_EQ(how_text(read(file).sites[0]), "entry only: no descriptor");
}

// Every length, and every byte with each of some values, gives an answer and never a crash.
TEST_F(SiteTableTest, SurvivesAnyDamage) {
  for (size_t bytes = 0; bytes < sizeof file; bytes++)
    EXPECT_LE(read(file, bytes).sites.size(), 3u);
  for (size_t at = 0; at < offsetof(File, code); at++)
    for (uint8_t value : {0x00, 0x7f, 0x80, 0xff}) {
      File bad = file;
      reinterpret_cast<uint8_t *>(&bad)[at] = value;
      EXPECT_LE(read(bad).sites.size(), 8u);
    }
}

} // namespace
