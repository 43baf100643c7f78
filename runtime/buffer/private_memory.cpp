// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The private memory of a buffer's writers, beside the file: the writers, and their knowledge of
// rings and sub-buffers.
//
// Each fork copies each mapping, and a child pays 1 us for each page that it touches first. So this
// is two mappings, and in each of them a child's first event touches one page. Where two arrays
// have their first elements in such a page, one of them grows downwards. A flight recorder has a
// third one, of 17 bytes for each sub-buffer: others would pay for it if they lock their memory.

#include "base/bytes.h"
#include "base/own_identity.h"
#include "base/wiped_pages.h"
#include "buffer/trace_buffer.h"

#include <errno.h>
#include <stddef.h>

namespace nophook {
namespace {

constexpr const char *kNoMemory = "no memory for the event path";
constexpr uint32_t kFirst = 64; // elements of a downward array that lie in the page

// The part that a fork child inherits unchanged. Below it are the other rings' words, behind it is
// the table of segments.
struct KeptPage {
  // Address of the sub-buffer that each ring wrote to last; the first ring's is the last element.
  uint64_t written_to[kFirst];
};
constexpr uint64_t kKeptBelow = (kRingCount - kFirst) * sizeof(uint64_t);
static_assert(kRingCount > kFirst);

uint64_t kept_page_at() {
  return round_up(kKeptBelow, kPageBytes);
}

Status map_kept(Buffer &buffer) {
  const uint64_t table_bytes = prepare_segments(buffer);
  auto *at = static_cast<char *>(map_pages(kept_page_at() + sizeof(KeptPage) + table_bytes));
  if (!at)
    return failure(ENOMEM, kNoMemory);
  auto *page = reinterpret_cast<KeptPage *>(at + kept_page_at());
  buffer.written_to = &page->written_to[kFirst - 1];
  buffer.segments = reinterpret_cast<char **>(page + 1);
  return {};
}

void unmap_kept(Buffer &buffer) {
  if (!buffer.segments)
    return;
  const uint64_t table_bytes = prepare_segments(buffer);
  unmap_segments(buffer, 0);
  auto *page = reinterpret_cast<char *>(buffer.segments) - sizeof(KeptPage);
  unmap_pages(page - kept_page_at(), kept_page_at() + sizeof(KeptPage) + table_bytes);
  buffer.segments = nullptr;
  buffer.written_to = nullptr;
}

// The part that a fork child finds zeroed. Below it are the other sub-buffers' bytes, behind it are
// the writers.
struct WipedPage {
  // Pages of each sub-buffer that have memory; the first one's is the last element.
  uint8_t backed[kFirst];
  uint64_t identity[kIdentityBytes / sizeof(uint64_t)]; // for the main buffer: base/own_identity.h
  ProcessPage process;
  LeftRings left;
};

struct WipedLayout {
  uint64_t page, writers, end; // places in the mapping; `left_queue` is in front of them
};

WipedLayout wiped_layout(const Buffer &buffer) {
  auto behind = [](uint64_t at, uint64_t bytes) { return round_up(at + bytes, kPageBytes); };
  WipedLayout layout;
  layout.page = behind(0, sizeof(LeftQueue) + buffer.made_for);
  layout.writers = layout.page + round_up(sizeof(WipedPage), alignof(Writer));
  layout.end = behind(layout.writers, kRingCount * sizeof(Writer));
  return layout;
}

Status map_wiped_memory(Buffer &buffer) {
  const WipedLayout layout = wiped_layout(buffer);
  void *pages = nullptr;
  NOPHOOK_TRY(map_wiped(layout.end, kNoMemory, &pages));
  auto *at = static_cast<char *>(pages);
  auto *page = reinterpret_cast<WipedPage *>(at + layout.page);
  buffer.left_queue = reinterpret_cast<LeftQueue *>(at);
  buffer.backed = &page->backed[kFirst - 1];
  buffer.left = &page->left;
  buffer.writers = reinterpret_cast<Writer *>(at + layout.writers);
  buffer.process = &page->process;
  return {};
}

void unmap_wiped_memory(Buffer &buffer) {
  if (buffer.left_queue)
    unmap_wiped(buffer.left_queue, wiped_layout(buffer).end);
  buffer.left_queue = nullptr;
  buffer.backed = nullptr;
  buffer.left = nullptr;
  buffer.writers = nullptr;
  buffer.process = nullptr;
}

uint64_t waiting_bytes(const Buffer &buffer) {
  return round_up(buffer.made_for * sizeof(uint64_t), kPageBytes);
}

uint64_t ages_bytes(const Buffer &buffer) {
  return waiting_bytes(buffer) + age_words(buffer.made_for) * sizeof(uint64_t);
}

void unmap_ages(Buffer &buffer) {
  if (buffer.waiting)
    unmap_wiped(buffer.waiting, ages_bytes(buffer));
  buffer.waiting = nullptr;
  buffer.ages = {};
}

WipedPage *wiped_page(const Buffer &buffer) {
  return reinterpret_cast<WipedPage *>(reinterpret_cast<char *>(buffer.process) -
                                       offsetof(WipedPage, process));
}

// The number of sub-buffers that a file is made for: the user may want a larger buffer later, and
// the unused part is a hole in the file.
uint32_t largest(uint64_t kib) {
  constexpr uint64_t kMostKib = kMostGrownGib << 20;
  uint64_t wanted = kib * kMostGrowth < kMostKib ? kib * kMostGrowth : kMostKib;
  return subbufs_of(wanted > kib ? wanted : kib);
}

} // namespace

Status map_private(Buffer &buffer) {
  const bool overwrites = buffer.full == NOPHOOK_FULL_OVERWRITE;
  if (buffer.process)
    return overwrites ? map_ages(buffer) : Status{};
  buffer.made_for = largest(buffer.kib);
  Status status = map_kept(buffer);
  if (status.ok())
    status = map_wiped_memory(buffer);
  if (status.ok() && overwrites)
    status = map_ages(buffer);
  if (!status.ok()) // a limit on addresses: the next try finds the same pointers as this one
    unmap_private(buffer);
  prepare_identity(status.ok() && !buffer.number ? wiped_page(buffer)->identity : nullptr);
  return status;
}

Status map_ages(Buffer &buffer) {
  if (buffer.waiting)
    return {};
  void *pages = nullptr;
  NOPHOOK_TRY(map_wiped(ages_bytes(buffer), kNoMemory, &pages));
  auto *at = static_cast<char *>(pages);
  prepare_ages(buffer.ages, reinterpret_cast<uint64_t *>(at + waiting_bytes(buffer)),
               buffer.made_for);
  buffer.waiting = reinterpret_cast<uint64_t *>(at);
  return {};
}

void unmap_private(Buffer &buffer) {
  unmap_kept(buffer);
  unmap_ages(buffer);
  unmap_wiped_memory(buffer);
}

} // namespace nophook
