// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps the first page of each header, and sums up the counts of children in it.

#include "process/drain/lost_children.h"

#include "foundation/counted.h"
#include "foundation/regular_file.h"
#include "process/drain/buffer_file.h"

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

namespace nophook {

namespace {

constexpr size_t kMostPages = 16384; // 64 MiB
constexpr uint64_t kPageBytes = 4096;

} // namespace

std::string lost_children_text(uint64_t count, const nophook_buffer &last) {
  if (!count)
    return "";
  return fmt::format("{} could not be recorded (the last one, {}: {}: {})",
                     counted(count, "fork child", "fork children"), last.child_lost_pid,
                     field_text(last.child_lost_why), std::strerror(last.child_lost_error));
}

LostChildren::~LostChildren() {
  for (const Page &page : pages_)
    ::munmap(const_cast<nophook_buffer *>(page.header), kPageBytes);
}

uint32_t LostChildren::children_of(const Page &page) {
  return __atomic_load_n(&page.header->children_lost, __ATOMIC_ACQUIRE) - page.children;
}

void LostChildren::forget_oldest() {
  forgotten_ += children_of(pages_.front());
  ::munmap(const_cast<nophook_buffer *>(pages_.front().header), kPageBytes);
  pages_.pop_front();
}

void LostChildren::watch(const std::string &path, uint32_t index, Since since) {
  const auto file = open_regular(path, O_RDONLY | O_NOFOLLOW);
  void *at = file && file->size >= kPageBytes
                 ? ::mmap(nullptr, kPageBytes, PROT_READ, MAP_SHARED, file->fd.get(), 0)
                 : MAP_FAILED;
  if (at == MAP_FAILED)
    return;
  if (pages_.size() == kMostPages)
    forget_oldest();
  Page page = {static_cast<const nophook_buffer *>(at), path, index};
  page.children = since == Since::kNow ? children_of(page) : 0;
  pages_.push_back(page);
}

void LostChildren::parent_recorded(const std::string &path) {
  for (Page &page : pages_)
    if (page.path == path) {
      page.lost = lost_of(page);
      page.is_recorded = true;
    }
}

uint64_t LostChildren::count() const {
  uint64_t count = forgotten_;
  for (const Page &page : pages_)
    count += children_of(page);
  return count;
}

std::string LostChildren::text() const {
  auto last = std::ranges::find_if(pages_.rbegin(), pages_.rend(), children_of);
  return last == pages_.rend() ? lost_children_text(count(), {})
                               : lost_children_text(count(), *last->header);
}

} // namespace nophook
