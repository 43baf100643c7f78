// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a buffer's writers have for themselves, beside the file: the writers, and what they know of
// rings and sub-buffers.
//
// Each fork copies each mapping, and a child pays 1 us for each page that it touches first. So this
// is two mappings, and in each of them, what a child's first event touches is one page. Where two
// arrays have their first elements in such a page, one of them grows downwards.

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

// What a fork child finds as its parent has it. Below it are the other rings' words, behind it is
// the table of segments.
struct KeptPage {
  uint64_t written_to[kFirst]; // that of the first ring is the last one
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

// What it finds zeroed. Below it are the other sub-buffers' bytes, behind it are the writers.
struct WipedPage {
  uint8_t backed[kFirst];                               // that of the first one is the last one
  uint64_t identity[kIdentityBytes / sizeof(uint64_t)]; // the main buffer's: base/own_identity.h
  ProcessPage process;
  LeftRings left;
};

struct WipedLayout {
  uint64_t queues, page, writers, end; // `next` is in front of them
};

WipedLayout wiped_layout(const Buffer &buffer) {
  auto behind = [](uint64_t at, uint64_t bytes) { return round_up(at + bytes, kPageBytes); };
  WipedLayout layout;
  layout.queues = behind(0, buffer.made_for * sizeof(uint32_t));
  layout.page = behind(layout.queues, sizeof(LeftQueues) + buffer.made_for);
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
  buffer.next = reinterpret_cast<uint32_t *>(at);
  buffer.left_queues = reinterpret_cast<LeftQueues *>(at + layout.queues);
  buffer.backed = &page->backed[kFirst - 1];
  buffer.left = &page->left;
  buffer.writers = reinterpret_cast<Writer *>(at + layout.writers);
  buffer.process = &page->process;
  return {};
}

void unmap_wiped_memory(Buffer &buffer) {
  if (buffer.next)
    unmap_wiped(buffer.next, wiped_layout(buffer).end);
  buffer.next = nullptr;
  buffer.left_queues = nullptr;
  buffer.backed = nullptr;
  buffer.left = nullptr;
  buffer.writers = nullptr;
  buffer.process = nullptr;
}

WipedPage *wiped_page(const Buffer &buffer) {
  return reinterpret_cast<WipedPage *>(reinterpret_cast<char *>(buffer.process) -
                                       offsetof(WipedPage, process));
}

// How many sub-buffers a file is made for: one may want a larger buffer later, and what is not used
// is a hole in it.
uint32_t largest(uint64_t kib) {
  constexpr uint64_t kMostKib = kMostGrownGib << 20;
  uint64_t wanted = kib * kMostGrowth < kMostKib ? kib * kMostGrowth : kMostKib;
  return subbufs_of(wanted > kib ? wanted : kib);
}

} // namespace

Status map_private(Buffer &buffer) {
  if (buffer.process)
    return {};
  buffer.made_for = largest(buffer.kib);
  Status status = map_kept(buffer);
  if (status.ok())
    status = map_wiped_memory(buffer);
  if (!status.ok()) // a limit on addresses: the next try finds them as this one did
    unmap_private(buffer);
  prepare_identity(status.ok() && !buffer.number ? wiped_page(buffer)->identity : nullptr);
  return status;
}

void unmap_private(Buffer &buffer) {
  unmap_kept(buffer);
  unmap_wiped_memory(buffer);
}

} // namespace nophook
