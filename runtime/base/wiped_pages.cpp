// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// madvise(MADV_WIPEONFORK), and a replacement where it succeeds without effect: qemu-user 7.2
// passes no advice on to the kernel and accepts any. A child would then write with its parent's
// pointers into the parent's rings. An advice that does not exist shows such a kernel, since Linux
// refuses it. There the memory is listed, and the handler of fork maps zeros over it in the child.
// Handlers of the program's that run earlier in the child must not be traced there, nor children of
// a bare clone(). The same list serves in a sandbox that refuses the advice (EPERM, as Chromium's
// does).

#include "base/wiped_pages.h"

#include <errno.h>

namespace nophook {
namespace {

struct Region {
  char *at; // null: free; kTaken: being filled
  uint64_t bytes;
};
struct Regions {
  Regions *next;
  Region region[(kPageBytes - sizeof(Regions *)) / sizeof(Region)];
};
static_assert(sizeof(Regions) <= kPageBytes);

Regions *g_regions = nullptr;
bool g_is_ignored = false;

bool is_advice_ignored(void *at) {
  constexpr int kNoAdvice = 0x7ffe;
  return sys(SYS_madvise, at, kPageBytes, kNoAdvice) == 0;
}

// Finds a region that holds `before`, which becomes `after`; null: there is none.
Region *take_region(char *before, char *after) {
  for (Regions *r = __atomic_load_n(&g_regions, __ATOMIC_ACQUIRE); r; r = r->next)
    for (Region &region : r->region) {
      char *found = before;
      if (__atomic_compare_exchange_n(&region.at, &found, after, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED))
        return &region;
    }
  return nullptr;
}

bool list_region(char *at, uint64_t bytes) {
  char *const taken = reinterpret_cast<char *>(1);
  Region *region = take_region(nullptr, taken);
  if (!region) {
    auto *more = static_cast<Regions *>(map_pages(sizeof(Regions)));
    if (!more)
      return false;
    region = &more->region[0];
    region->at = taken;
    more->next = __atomic_load_n(&g_regions, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&g_regions, &more->next, more, false, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
    }
  }
  region->bytes = bytes;
  __atomic_store_n(&region->at, at, __ATOMIC_RELEASE);
  return true;
}

} // namespace

Status map_wiped_behind(uint64_t kept, uint64_t bytes, const char *no_memory, void **result) {
  auto *at = static_cast<char *>(map_pages(kept + bytes, MAP_NORESERVE));
  if (!at)
    return failure(ENOMEM, no_memory);
  const uint64_t wiped_bytes = round_up(bytes, kPageBytes);
  const long wiped = sys(SYS_madvise, at + kept, wiped_bytes, MADV_WIPEONFORK);
  if (wiped == -EPERM) { // a sandbox, which allows no children, or few
    if (list_region(at + kept, wiped_bytes)) {
      *result = at;
      return {};
    }
    unmap_pages(at, kept + bytes);
    return failure(ENOMEM, no_memory);
  }
  if (sys_failed(wiped)) {
    unmap_pages(at, kept + bytes);
    return failure(ENOSYS, "the kernel does not know MADV_WIPEONFORK (Linux 4.14)");
  }
  static bool has_asked = false;
  if (!__atomic_load_n(&has_asked, __ATOMIC_ACQUIRE)) {
    __atomic_store_n(&g_is_ignored, is_advice_ignored(at), __ATOMIC_RELAXED);
    __atomic_store_n(&has_asked, true, __ATOMIC_RELEASE);
  }
  if (__atomic_load_n(&g_is_ignored, __ATOMIC_RELAXED) && !list_region(at + kept, wiped_bytes)) {
    unmap_pages(at, kept + bytes);
    return failure(ENOMEM, no_memory);
  }
  *result = at;
  return {};
}

void unmap_wiped(void *at, uint64_t bytes) {
  if (at && __atomic_load_n(&g_regions, __ATOMIC_ACQUIRE))
    take_region(static_cast<char *>(at), nullptr);
  unmap_pages(at, bytes);
}

void wipe_if_ignored() {
  constexpr int kOver = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  for (Regions *r = g_regions; r; r = r->next)
    for (const Region &region : r->region)
      if (reinterpret_cast<uint64_t>(region.at) >= kPageBytes)
        // If the kernel refuses, the child writes as it would without a list.
        sys(SYS_mmap, region.at, region.bytes, PROT_READ | PROT_WRITE, kOver, -1, 0);
}

} // namespace nophook
