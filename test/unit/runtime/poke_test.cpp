// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way in which a site is changed, and a batch on code of this program's own.

#include "poke/poke.h"

#include "arch/arch.h"
#include "poke/kill_switch.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace nophook;

// Bytes that are equal may be outside of the word.
TEST(PokeWay, OneStoreServesWhereTheChangedBytesAreInOneWord) {
  constexpr uint64_t kCall = 0x12345678e8, kLast = 0x13345678e8, kTwo = 0x13355678e8;
  for (uint64_t ip = 0x1000; ip < 0x1008; ip++) {
    EXPECT_TRUE(changes_one_word(ip, kCall, kCall));
    EXPECT_TRUE(changes_one_word(ip, kCall, kLast));
    EXPECT_EQ(changes_one_word(ip, kCall, kTwo), ip != 0x1004) << ip; // bytes 3 and 4
    EXPECT_EQ(changes_one_word(ip, 0x0800441f0f, kCall), ip <= 0x1003) << ip;
  }
}

TEST(PokeWay, StoreWhereFiveBytesAreInOneWord) {
  for (uint64_t ip = 0x1000; ip < 0x1040; ip++)
    EXPECT_EQ(poke_way(ip) == PokeWay::kStore, ip / 8 == (ip + 4) / 8) << ip;
}

TEST(PokeWay, SkipWhereTheHeadIsInOneWord) {
  for (uint64_t ip = 0x1000; ip < 0x1040; ip++) {
    const bool head = ip / 8 == (ip + 1) / 8;
    EXPECT_EQ(poke_way(ip) == PokeWay::kTrap, !head) << ip;
    EXPECT_EQ(poke_way(ip, PokeWay::kSkip), head ? PokeWay::kSkip : PokeWay::kTrap) << ip;
  }
}

TEST(PokeWay, TrapCanBeHadEverywhere) {
  for (uint64_t ip = 0x1000; ip < 0x1040; ip++)
    EXPECT_EQ(poke_way(ip, PokeWay::kTrap), PokeWay::kTrap);
}

namespace {

constexpr uint64_t kPages = 4 * 4096;

// Memory with NOPs at every 37th byte, so that sites lie at all offsets and across pages.
struct CodePages {
  CodePages() {
    register_core_sync(); // as the runtime does: ThreadSanitizer has a thread of its own
    bytes = static_cast<uint8_t *>(
        mmap(nullptr, kPages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    memset(bytes, 0x90, kPages);
    for (uint64_t at = 0; at + 5 <= kPages; at += 37) {
      memcpy(bytes + at, "\x0f\x1f\x44\x00\x08", 5);
      auto ip = (uint64_t)bytes + at;
      sites.push_back({ip, Arch::kNopClang, Arch::encode_call(ip, (uint64_t)bytes + 0x100000)});
    }
    memcpy(image, bytes, kPages);
    mprotect(bytes, kPages, PROT_READ | PROT_EXEC);
  }
  ~CodePages() { munmap(bytes, kPages); }
  uint8_t *bytes;
  uint8_t image[kPages];
  std::vector<PokeSite> sites;
};

} // namespace

TEST(PokeBatch, WritesEachSiteAndNothingElse) {
  CodePages text;
  ASSERT_TRUE(text_poke_batch(text.sites.data(), text.sites.size()).ok());
  for (const PokeSite &site : text.sites) {
    EXPECT_FALSE(site.failed());
    EXPECT_EQ(Arch::read_insn(site.ip()), site.to());
    memcpy(text.image + (site.ip() - text.bytes), site.ip(), 5);
  }
  EXPECT_EQ(memcmp(text.image, text.bytes, kPages), 0);
}

TEST(PokeBatch, LeavesForeignBytesAlone) {
  CodePages text;
  mprotect(text.bytes, kPages, PROT_READ | PROT_WRITE);
  *text.sites[3].ip() = 0xcc; // a debugger's breakpoint
  mprotect(text.bytes, kPages, PROT_READ | PROT_EXEC);
  ASSERT_TRUE(text_poke_batch(text.sites.data(), text.sites.size()).ok());
  for (uint64_t i = 0; i < text.sites.size(); i++)
    EXPECT_EQ(text.sites[i].failed(), i == 3) << i;
  EXPECT_EQ(*text.sites[3].ip(), 0xcc);
  EXPECT_EQ(memcmp(text.sites[3].ip() + 1, "\x1f\x44\x00\x08", 4), 0);
}

TEST(PokeBatch, GivesTheProtectionBack) {
  CodePages text;
  ASSERT_TRUE(text_poke_batch(text.sites.data(), text.sites.size()).ok());
  // A write by the kernel into memory that is not writable fails instead of killing us.
  FILE *source = fopen("/proc/self/stat", "r");
  EXPECT_EQ(read(fileno(source), text.bytes, 1), -1);
  fclose(source);
}

// Sites in the last bytes of a mapping: what is behind them must not be touched.
TEST(PokeBatch, ChangesTheLastBytesOfAMapping) {
  for (uint64_t from_end = 5; from_end < 5 + 64; from_end++) {
    auto *pages = static_cast<uint8_t *>(
        mmap(nullptr, 2 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    memcpy(pages + 4096 - from_end, "\x0f\x1f\x44\x00\x08", 5);
    mprotect(pages, 4096, PROT_READ | PROT_EXEC);
    munmap(pages + 4096, 4096);
    auto ip = (uint64_t)pages + 4096 - from_end;
    PokeSite site(ip, Arch::kNopClang, Arch::encode_call(ip, (uint64_t)pages + 0x100000));
    ASSERT_TRUE(text_poke_batch(&site, 1).ok()) << from_end;
    EXPECT_FALSE(site.failed());
    EXPECT_EQ(Arch::read_insn(site.ip()), site.to()) << from_end;
    munmap(pages, 4096);
  }
}

namespace {

PokeStep g_stop_at;
uint8_t *g_scribble_at;
void scribble(int step) {
  if (step == g_stop_at)
    *g_scribble_at ^= 0x40;
}

} // namespace

// The whole batch is taken back but for the byte that is not ours. It trips the kill switch of
// this process, which every test after it would notice: so it is a death test.
TEST(PokeBatchDeathTest, TakesBackWhatDidNotStay) {
  EXPECT_EXIT(
      {
        CodePages text;
        g_stop_at = kPokeClosed;
        g_scribble_at = text.sites[5].ip() + 4;
        nophook_poke_stop = scribble;
        int error = text_poke_batch(text.sites.data(), text.sites.size()).error;
        uint64_t differing = 0;
        for (uint64_t i = 0; i < kPages; i++)
          differing += text.bytes[i] != text.image[i];
        const bool kept = kill_reason() && strstr(kill_reason(), "holds");
        error = error == EIO ? text_poke_batch(text.sites.data(), 1).error : error;
        exit(error == ENODEV && differing > 0 && differing <= 5 && kept ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}
