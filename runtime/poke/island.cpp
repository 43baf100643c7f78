// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds places for islands. The first choice is the free space below the module, if there is enough
// within reach, because nothing grows there. The space right above an executable belongs to its
// heap. If the space below is too small (a non-PIE executable at 4 MiB), an island lies as far
// above as reach allows. The islands of one module's kinds are multiples of 16 MiB apart where
// there is room.

#include "poke/island.h"

#include "arch/arch.h"
#include "arch/callback_path.h"
#include "base/limit_text.h"
#include "base/memory.h"
#include "poke/perf_map.h"
#include "poke/site_classes.h"
#include "poke/text.h"

#include <errno.h>
#include <fcntl.h>

#include <nophook/buffer.h>

uint64_t *nophook::nophook_bodies = nullptr;
uint32_t *nophook::nophook_copies = nullptr;

namespace nophook {
namespace {

// Reads /proc/self/maps and calls `visit(start, end)` for each mapping, ascending.
template <class Visit> bool visit_maps(Visit visit) {
  long fd = sys(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (sys_failed(fd))
    return false;
  char buffer[4096];
  uint64_t number[2] = {};
  // The field that is being read: 0, 1: digits of start, end; 2: the rest of the line.
  int which = 0;
  for (long n; (n = sys(SYS_read, fd, buffer, sizeof buffer)) > 0 && !sys_failed(n);)
    for (long i = 0; i < n; i++) {
      char c = buffer[i];
      if (c == '\n') {
        which = 0;
        number[0] = number[1] = 0;
      } else if (which == 2) {
        continue;
      } else if (c == '-') {
        which = 1;
      } else if (c == ' ') {
        which = 2;
        visit(number[0], number[1]);
      } else {
        number[which] = number[which] << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
      }
    }
  sys(SYS_close, fd);
  return true;
}

constexpr uint64_t kLowestAddress = 1 << 16; // vm.mmap_min_addr
// Free space between an island and the mapping above it.
constexpr uint64_t kKeepFreeBytes = 1 << 20;
constexpr uint64_t kHighestAddress = uint64_t{1} << Arch::kAddressBits;

uint64_t lowest_in_reach(const Module *module) {
  uint64_t lowest = module->end > Arch::kReachBytes ? module->end - Arch::kReachBytes : 0;
  return lowest < kLowestAddress ? kLowestAddress : round_up(lowest, kPageBytes);
}

uint64_t highest_in_reach(const Module *module) {
  uint64_t highest = module->start + Arch::kReachBytes;
  return highest > kHighestAddress ? kHighestAddress : round_down(highest, kPageBytes);
}

// An address for `bytes` near the module, or 0.
uint64_t find_place(const Module *module, uint64_t bytes) {
  uint64_t lowest = lowest_in_reach(module), highest = highest_in_reach(module);
  uint64_t below = 0, above = 0, previous_end = kLowestAddress;
  auto consider = [&](uint64_t gap_start, uint64_t gap_end) {
    gap_start = gap_start < lowest ? lowest : gap_start;
    gap_end = gap_end > highest ? highest : gap_end;
    if (gap_end <= gap_start)
      return;
    uint64_t room = gap_end - gap_start;
    if (room >= bytes + kKeepFreeBytes && gap_end <= module->start)
      below = gap_end - bytes - kKeepFreeBytes; // the last one that fits is the nearest
    else if (room >= bytes && gap_end <= module->start && !below)
      below = gap_start;
    else if (room >= bytes && gap_start >= module->end)
      above = gap_end - bytes; // the last one is the furthest from the heap
  };
  visit_maps([&](uint64_t start, uint64_t end) {
    consider(previous_end, start);
    previous_end = end;
  });
  consider(previous_end, kHighestAddress);
  return below ? below : above;
}

bool map_at(uint64_t place, uint64_t bytes, char **result) {
  long at = sys(SYS_mmap, place, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_POPULATE, -1, 0);
  if (sys_failed(at))
    return false;
  *result = reinterpret_cast<char *>(at);
  if ((uint64_t)at == place)
    return true;
  sys(SYS_munmap, at, bytes); // a kernel that does not know NOREPLACE took it as a hint
  return false;
}

Status map_near(const Module *module, uint64_t bytes, char **result) {
  for (int attempt = 0; attempt < 8; attempt++) { // another thread may take the place first
    uint64_t place = find_place(module, bytes);
    if (place && map_at(place, bytes, result))
      return {};
    if (!place)
      break;
  }
  return failure(ENOMEM, "no free memory within reach of the module for its trampolines");
}

// Places an island a whole number of steps from the island of another kind that is called: then a
// call of one becomes a call of the other by its last byte, in one store wherever the site lies.
// Downwards, as nothing grows there; on the same side of the module. Jumps too, as they become
// calls through a third island.
bool map_in_step(const Module *module, uint64_t bytes, char **result) {
  if (Arch::kStoresOnly)
    return false;
  uint64_t other = 0;
  for (uint32_t i = 0; i < kSiteKinds && !other; i++)
    if (module->thunks[i])
      other = module->thunks[i] - kPageBytes;
  if (!other)
    return false;
  uint64_t lowest = other < module->start ? lowest_in_reach(module) : module->end;
  for (uint64_t step = 1; step * Arch::kLastByteStep + lowest <= other; step++)
    if (map_at(other - step * Arch::kLastByteStep, bytes, result))
      return true;
  return false;
}

// Replaces a table by one with room for `room` ids. The smaller one stays in memory: a trampoline
// may be reading it. Rooms double, so the tables that stay sum up to one more.
template <class T> bool grow_table(T *&table, uint64_t had, uint64_t room) {
  auto *grown = static_cast<T *>(map_pages(room * sizeof(T), MAP_NORESERVE));
  if (!grown)
    return false;
  copy_bytes(grown, table, had * sizeof(T));
  __atomic_store_n(&table, grown, __ATOMIC_RELEASE);
  return true;
}

// Reserves the tables for ids that exist, not for all that may come: a program that locks its
// memory pays for reserved memory, too.
Status reserve_tables(uint64_t ids) {
  static uint64_t has = 0;
  if (ids <= has)
    return {};
  uint64_t room = round_up(ids * 2, kPageBytes / sizeof(uint32_t));
  if (!grow_table(nophook_bodies, has, room) || !grow_table(nophook_copies, has, room))
    return failure(ENOMEM, "no memory for the tables of functions");
  has = room;
  return {};
}

uint64_t address(void (*trampoline)()) {
  return reinterpret_cast<uint64_t>(trampoline);
}

void write_slots(uint64_t *slots, SiteKind kind) {
  switch (kind) {
  case SiteKind::kCall:
    slots[ISLAND_SLOT_ENTRY_ONLY] = slots[ISLAND_SLOT_BEHIND_ENTRY] =
        address(nophook_function_caller);
    slots[ISLAND_SLOT_AFTER_PROLOGUE] = address(nophook_function_frame_caller);
    slots[ISLAND_SLOT_AFTER_PUSH] = address(nophook_function_pushed_caller);
    return;
  case SiteKind::kJump:
    slots[ISLAND_SLOT_ENTRY_ONLY] = address(nophook_graph_entry_caller);
    slots[ISLAND_SLOT_THROUGH] = address(nophook_graph_caller);
    slots[ISLAND_SLOT_COPY] = address(nophook_graph_copy_caller);
    return;
  case SiteKind::kOps:
    slots[ISLAND_SLOT_ENTRY_ONLY] = slots[ISLAND_SLOT_BEHIND_ENTRY] = address(ftrace_caller);
    slots[ISLAND_SLOT_AFTER_PROLOGUE] = address(ftrace_frame_caller);
    slots[ISLAND_SLOT_AFTER_PUSH] = address(ftrace_pushed_caller);
    return;
  case SiteKind::kOpsRegs:
    slots[ISLAND_SLOT_ENTRY_ONLY] = slots[ISLAND_SLOT_BEHIND_ENTRY] = address(ftrace_regs_caller);
    slots[ISLAND_SLOT_AFTER_PROLOGUE] = address(ftrace_regs_frame_caller);
    slots[ISLAND_SLOT_AFTER_PUSH] = address(ftrace_regs_pushed_caller);
    return;
  case SiteKind::kOpsExit:
    slots[ISLAND_SLOT_ENTRY_ONLY] = slots[ISLAND_SLOT_BEHIND_ENTRY] =
        address(ftrace_exit_entry_caller);
    slots[ISLAND_SLOT_THROUGH] = address(ftrace_exit_caller);
    slots[ISLAND_SLOT_COPY] = address(ftrace_exit_caller);
    slots[ISLAND_SLOT_AFTER_PROLOGUE] = address(ftrace_exit_frame_caller);
    slots[ISLAND_SLOT_AFTER_PUSH] = address(ftrace_exit_pushed_caller);
    return;
  case SiteKind::kProfile:
    slots[ISLAND_SLOT_ENTRY_ONLY] = address(nophook_profile_entry_caller);
    slots[ISLAND_SLOT_THROUGH] = address(nophook_profile_caller);
    slots[ISLAND_SLOT_COPY] = address(nophook_profile_copy_caller);
    return;
  case SiteKind::kHits:
    slots[ISLAND_SLOT_ENTRY_ONLY] = slots[ISLAND_SLOT_BEHIND_ENTRY] = address(nophook_hits_caller);
    slots[ISLAND_SLOT_AFTER_PROLOGUE] = address(nophook_hits_caller);
    slots[ISLAND_SLOT_AFTER_PUSH] = address(nophook_hits_caller);
    return;
  case SiteKind::kBetweenJump:
  case SiteKind::kBetweenProfile:
  case SiteKind::kBetweenExit:
    slots[ISLAND_SLOT_ENTRY_ONLY] = address(nophook_between);
    return;
  }
}

void write_island(const Module *module, SiteKind kind, char *at, const uint8_t *slot) {
  auto *slots = reinterpret_cast<uint64_t *>(at);
  write_slots(slots, kind);
  for (uint32_t i = 0; i < module->records.count(); i++) {
    uint8_t *thunk = reinterpret_cast<uint8_t *>(at) + kPageBytes + i * Arch::kThunkBytes;
    Arch::write_thunk(thunk, reinterpret_cast<uint64_t>(thunk), module->first_id + i,
                      reinterpret_cast<uint64_t>(slots + slot[i]),
                      module->records.ip(i) + Arch::kSiteBytes);
  }
}

} // namespace

static Status (*g_is_made)() = nullptr;

void when_island_is_made(Status (*is_made)()) {
  g_is_made = is_made;
}

// If g_is_made() finds no memory, the module gets no island, and the island's memory is lost.
static Status take_island(Module *module, SiteKind kind, uint64_t thunks) {
  module->thunks[(int)kind] = thunks;
  Status status = g_is_made ? g_is_made() : Status{};
  if (!status.ok())
    module->thunks[(int)kind] = 0;
  return status;
}

Status make_island(Module *module, SiteKind kind) {
  if (module->thunks[(int)kind])
    return {};
  // Whether sites behind a prologue are entered in another way than other sites.
  bool has_prologue_sites = kind != SiteKind::kJump && kind != SiteKind::kProfile;
  bool calls_bodies = !has_prologue_sites || kind == SiteKind::kOpsExit;
  if (calls_bodies)
    NOPHOOK_TRY(reserve_tables((uint64_t)module->first_id + module->ids));
  uint32_t count = module->records.count();
  uint64_t bytes = kPageBytes + round_up((uint64_t)count * Arch::kThunkBytes, kPageBytes);
  char *at = nullptr;
  if (!map_in_step(module, bytes, &at))
    NOPHOOK_TRY(map_near(module, bytes, &at));
  auto *slot = static_cast<uint8_t *>(map_pages(count));
  if (!slot) {
    unmap_pages(at, bytes);
    return failure(ENOMEM, "no memory for an island");
  }
  if (calls_bodies)
    read_descriptors(module, slot);
  if (has_prologue_sites)
    find_sites_after_prologue(module, slot);
  write_island(module, kind, at, slot);
  unmap_pages(slot, count);
  if (!make_executable(at, bytes)) {
    unmap_pages(at, bytes);
    return failure(EPERM, "the kernel refuses executable memory for trampolines");
  }
  NOPHOOK_TRY(take_island(module, kind, reinterpret_cast<uint64_t>(at) + kPageBytes));
  tell_perf();
  return {};
}

// Counts the whole steps from one island to another; false: they are not in step, or too far apart.
static bool count_steps(uint64_t from, uint64_t to, int8_t *steps) {
  auto distance = (int64_t)(to - from);
  *steps = (int8_t)(distance / (int64_t)Arch::kLastByteStep);
  return from && to && (int64_t)*steps * (int64_t)Arch::kLastByteStep == distance;
}

static SiteKind between_kind(SiteKind jump_kind) {
  return jump_kind == SiteKind::kJump      ? SiteKind::kBetweenJump
         : jump_kind == SiteKind::kProfile ? SiteKind::kBetweenProfile
                                           : SiteKind::kBetweenExit;
}

// Makes the island between calls and jumps of `jump_kind`, if it can be made. A failure is no
// error: without the island, changes take another way.
Status make_between(Module *module, SiteKind jump_kind) {
  SiteKind kind = between_kind(jump_kind);
  bool &tried = module->tried_between[(int)kind - (int)SiteKind::kBetweenJump];
  if (tried)
    return {};
  tried = true;
  NOPHOOK_TRY(make_island(module, SiteKind::kOpsRegs));
  NOPHOOK_TRY(make_island(module, jump_kind));
  uint32_t count = module->records.count();
  uint64_t bytes = kPageBytes + round_up((uint64_t)count * Arch::kThunkBytes, kPageBytes);
  char *at = nullptr;
  if (Arch::has_shadow_stack() || !map_in_step(module, bytes, &at))
    return {};
  auto thunks = reinterpret_cast<uint64_t>(at) + kPageBytes;
  auto *slots = reinterpret_cast<uint64_t *>(at);
  auto *slot = static_cast<uint8_t *>(map_pages(count));
  int8_t calls = 0, jumps = 0;
  bool fits = slot && count_steps(thunks, module->thunks[(int)SiteKind::kOpsRegs], &calls) &&
              count_steps(thunks, module->thunks[(int)jump_kind], &jumps);
  if (fits) {
    write_slots(slots, kind);
    find_sites_after_prologue(module, slot);
    for (uint32_t i = 0; i < count; i++) {
      uint64_t thunk = thunks + (uint64_t)i * Arch::kThunkBytes;
      if (slot[i] == ISLAND_SLOT_ENTRY_ONLY) // else the stack shows nothing
        Arch::write_between(reinterpret_cast<uint8_t *>(thunk), thunk,
                            reinterpret_cast<uint64_t>(slots),
                            module->records.ip(i) + Arch::kSiteBytes, calls, jumps);
    }
  }
  unmap_pages(slot, count);
  if (fits && make_executable(at, bytes))
    NOPHOOK_TRY(take_island(module, kind, thunks));
  else
    unmap_pages(at, bytes);
  tell_perf();
  return {};
}

Status map_in_reach(const Module *module, uint64_t bytes, char **at) {
  return map_near(module, bytes, at);
}

uint64_t between_thunk(const Module *module, uint32_t index, SiteKind jump_kind) {
  SiteKind kind = between_kind(jump_kind);
  if (!module->thunks[(int)kind])
    return 0;
  uint64_t thunk = thunk_address(module, index, kind);
  return *reinterpret_cast<const uint64_t *>(thunk) ? thunk : 0;
}

// A page of stubs, then a page of addresses that they jump to.
constexpr uint32_t kStubs = kPageBytes / Arch::kThunkBytes;

static Status make_stubs(Module *module) {
  char *at = nullptr;
  NOPHOOK_TRY(map_near(module, 2 * kPageBytes, &at));
  uint64_t start = reinterpret_cast<uint64_t>(at), slots = start + kPageBytes;
  for (uint32_t i = 0; i < kStubs; i++)
    Arch::write_stub(reinterpret_cast<uint8_t *>(at) + i * Arch::kThunkBytes,
                     start + i * Arch::kThunkBytes, slots + i * 8);
  if (!make_executable(at, kPageBytes)) {
    unmap_pages(at, 2 * kPageBytes);
    return failure(EPERM, "the kernel refuses executable memory for trampolines");
  }
  module->stubs = start;
  tell_perf();
  return {};
}

Status reach_from(Module *module, uint64_t ip, uint64_t target, uint64_t *jump) {
  *jump = target;
  if (Arch::reaches(ip, target))
    return {};
  if (!module->stubs)
    NOPHOOK_TRY(make_stubs(module));
  auto *slots = reinterpret_cast<uint64_t *>(module->stubs + kPageBytes);
  for (uint32_t i = 0; i < kStubs; i++) {
    if (slots[i] && slots[i] != target)
      continue;
    slots[i] = target;
    *jump = module->stubs + i * Arch::kThunkBytes;
    return {};
  }
  return failure(
      ENOMEM,
      limit_text<"a module's functions have been redirected to ", kStubs, " places already">);
}

} // namespace nophook
