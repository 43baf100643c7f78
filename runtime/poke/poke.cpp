// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The batch protocol. What another thread may see at each step:
//
//                         store          skip                    trap
//      before             old            old                     old
//      1 heads opened     old | new      old | jmp +3            old | int3 (emulated as new)
//        core sync        new            jmp +3                  int3
//      2 tails                           jmp +3 (tail unseen)    int3 (tail unseen)
//        core sync
//      3 heads closed                    jmp +3 | new            int3 | new
//        core sync                       new                     new
//
// `jmp +3` is a NOP in two bytes: while it stands there the function is untraced.
// The site is one instruction before and after, so no thread is ever between its bytes.

#include "poke/poke.h"

#include "arch/arch.h"
#include "base/memory.h"
#include "poke/text.h"
#include "poke/trap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>

namespace nophook {

static PokeWay g_preferred = PokeWay::kStore;
static bool g_core_sync = false;

void set_preferred_way(PokeWay way) {
  g_preferred = way;
}

PokeWay poke_way(uint64_t ip, PokeWay preferred) {
  unsigned in_word = ip & 7;
  if (preferred == PokeWay::kStore && in_word + Arch::kSiteBytes <= 8)
    return PokeWay::kStore;
  if (preferred != PokeWay::kTrap && in_word + 2 <= 8)
    return PokeWay::kSkip;
  return PokeWay::kTrap;
}

void register_core_sync() {
  if (!g_core_sync)
    g_core_sync =
        !sys_failed(sys(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0));
}

// Returns when every running thread of the process has executed a serialising instruction
// since the call; the others will before they run again.
static void core_sync() {
  sys(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
}

// Whether this thread is the only one, as the kernel counts them.
static bool single_threaded() {
  long fd = sys(SYS_openat, AT_FDCWD, "/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (sys_failed(fd))
    return false;
  char text[1024];
  long n = sys(SYS_read, fd, text, sizeof text - 1);
  sys(SYS_close, fd);
  if (sys_failed(n))
    return false;
  // The 20th field; fields are counted from the last ')', since a name may hold anything.
  long i = n;
  while (i > 0 && text[i - 1] != ')')
    i--;
  for (int field = 2; i < n && field < 20; i++)
    field += text[i] == ' ';
  return i + 1 < n && text[i] == '1' && text[i + 1] == ' ';
}

// Decides each site's way; counts them. Addresses alone tell, the text is not read yet.
static void choose_ways(PokeSite *sites, uint64_t count, PokeWay preferred, uint64_t ways[3]) {
  for (uint64_t i = 0; i < count; i++) {
    PokeWay way = poke_way(reinterpret_cast<uint64_t>(sites[i].ip), preferred);
    sites[i].way = (uint8_t)way;
    ways[(int)way]++;
  }
}

static bool holds(const PokeSite &site, uint64_t insn) {
  return Arch::read_insn(site.ip) == insn;
}

static void write_alone(TextAccess &text, PokeSite *sites, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    sites[i].failed = !holds(sites[i], sites[i].from);
    if (!sites[i].failed)
      text.write_tail(sites[i].ip, sites[i].to, 0);
  }
}

static void open_heads(TextAccess &text, PokeSite *sites, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    PokeSite &s = sites[i];
    s.failed = !holds(s, s.from);
    if (s.failed)
      continue;
    switch ((PokeWay)s.way) {
    case PokeWay::kStore:
      text.store_insn(s.ip, s.to);
      break;
    case PokeWay::kSkip:
      text.write16(s.ip, Arch::kSkipHead);
      break;
    case PokeWay::kTrap:
      text.write8(s.ip, Arch::kTrap);
      break;
    }
  }
}

static void write_tails(TextAccess &text, PokeSite *sites, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    PokeSite &s = sites[i];
    if (!s.failed && (PokeWay)s.way != PokeWay::kStore)
      text.write_tail(s.ip, s.to, (PokeWay)s.way == PokeWay::kSkip ? 2 : 1);
  }
}

static void close_heads(TextAccess &text, PokeSite *sites, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    PokeSite &s = sites[i];
    if (s.failed || (PokeWay)s.way == PokeWay::kStore)
      continue;
    if ((PokeWay)s.way == PokeWay::kSkip)
      text.write16(s.ip, (uint16_t)s.to);
    else
      text.write8(s.ip, (uint8_t)s.to);
  }
}

// A site that does not hold what was written belongs to somebody else as well.
static void read_back(PokeSite *sites, uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    if (!sites[i].failed && !holds(sites[i], sites[i].to))
      sites[i].failed = 1;
}

static void write_protocol(TextAccess &text, PokeSite *sites, uint64_t count, bool in_steps) {
  open_heads(text, sites, count);
  core_sync();
  if (!in_steps)
    return;
  write_tails(text, sites, count);
  core_sync();
  close_heads(text, sites, count);
  core_sync();
}

Status text_poke_batch(PokeSite *sites, uint64_t count) {
  if (count == 0)
    return {};
  TextAccess text;
  NOPHOOK_TRY(text.open(sites, count));
  uint64_t ways[3] = {};
  choose_ways(sites, count, text.direct() ? g_preferred : PokeWay::kTrap, ways);
  bool traps = ways[(int)PokeWay::kTrap] != 0;
  if ((traps || !g_core_sync) && single_threaded()) {
    write_alone(text, sites, count);
  } else {
    if (!g_core_sync)
      return failure(ENOSYS, "threads run and the kernel refuses membarrier core syncs");
    if (traps)
      NOPHOOK_TRY(trap_begin(sites, count));
    write_protocol(text, sites, count, traps || ways[(int)PokeWay::kSkip]);
    if (traps)
      trap_end();
  }
  read_back(sites, count);
  return {};
}

} // namespace nophook
