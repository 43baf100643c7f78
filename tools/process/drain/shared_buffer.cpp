// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps the file, checks the header against its size, and locks it for one reader.

#include "process/drain/shared_buffer.h"

#include "foundation/checked_folder.h"
#include "foundation/mapped_files.h"
#include "process/drain/cleared_prefix.h"
#include "process/drain/clocks.h"
#include "process/drain/words.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

namespace nophook {

namespace {

// A reader looks at each. By default, the runtime has 8192 rings, and sub-buffers of 4 GiB in all.
constexpr uint32_t kMostRings = 1 << 16, kMostSubbufs = 1 << 24;

// Whether `count` elements at `offset` lie behind the header and within the file.
bool inside(uint64_t offset, uint64_t count, uint64_t element, uint64_t align,
            uint64_t file_bytes) {
  return offset >= sizeof(nophook_buffer) && offset % align == 0 && offset <= file_bytes &&
         count <= (file_bytes - offset) / element;
}

// We write to the file, so it must belong to its folder's owner and lie in no other folder.
Result<RegularFile> open_in_folder(const std::string &path) {
  auto folder = CheckedFolder::of(path);
  NOPHOOK_TRY(folder);
  return folder->open_file(name_in_folder(path), O_RDWR);
}

} // namespace

Result<SharedBuffer> SharedBuffer::open(const std::string &path) {
  return open(path, false);
}

Result<SharedBuffer> SharedBuffer::open_copy(const std::string &path) {
  return open(path, true);
}

Result<SharedBuffer> SharedBuffer::open(const std::string &path, bool is_copy) {
  auto file = is_copy ? open_regular(path, O_RDONLY | O_NOFOLLOW) : open_in_folder(path);
  if (!file)
    return error_at(shown_path(path), "the buffer cannot be opened: " + file.error().problem);
  if (file->size < sizeof(nophook_buffer))
    return error_at(shown_path(path), "is not a buffer");
  SharedBuffer buffer;
  buffer.path_ = path;
  buffer.is_copy_ = is_copy;
  buffer.file_bytes_ = file->size;
  void *at = mmap(nullptr, buffer.file_bytes_, PROT_READ | PROT_WRITE,
                  (is_copy ? MAP_PRIVATE : MAP_SHARED) | MAP_NORESERVE, file->fd.get(), 0);
  if (at == MAP_FAILED)
    return system_error(shown_path(path), "the buffer cannot be mapped");
  know_mapping(path, at, buffer.file_bytes_);
  buffer.header_ = static_cast<nophook_buffer *>(at);
  nophook_buffer header = *buffer.header_;
  if (header.magic != NOPHOOK_BUFFER_MAGIC)
    return error_at(shown_path(path), "is not a buffer");
  if (header.version > NOPHOOK_BUFFER_VERSION)
    return error_at(shown_path(path), "is a buffer of version " + std::to_string(header.version) +
                                          "; this program reads versions up to " +
                                          std::to_string(NOPHOOK_BUFFER_VERSION));
  // A core file contains only the used part.
  uint32_t subbufs = header.subbuf_count;
  if (header.subbuf_used && header.subbuf_used < subbufs &&
      !inside(header.subbufs_offset, subbufs, NOPHOOK_SUBBUF_BYTES, 8, buffer.file_bytes_))
    subbufs = header.subbuf_used;
  if (header.subbuf_bytes != NOPHOOK_SUBBUF_BYTES || header.ring_count > kMostRings ||
      header.subbuf_count > kMostSubbufs ||
      !inside(header.rings_offset, header.ring_count, sizeof(nophook_ring), 8,
              buffer.file_bytes_) ||
      !inside(header.states_offset, header.subbuf_count, 4, 4, buffer.file_bytes_) ||
      !inside(header.subbufs_offset, subbufs, NOPHOOK_SUBBUF_BYTES, 8, buffer.file_bytes_))
    return error_at(shown_path(path), "is a damaged buffer");
  char *base = static_cast<char *>(at);
  buffer.rings_ = reinterpret_cast<nophook_ring *>(base + header.rings_offset);
  buffer.states_ = reinterpret_cast<uint32_t *>(base + header.states_offset);
  buffer.subbufs_ = base + header.subbufs_offset;
  buffer.ring_count_ = header.ring_count;
  buffer.subbuf_count_ = subbufs;
  buffer.tells_freed_ = header.header_bytes > offsetof(nophook_buffer, freed);
  buffer.pid_ = header.pid;
  buffer.owner_ = Owner(header, file->fd.get());
  buffer.file_ = std::move(file->fd);
  return buffer;
}

SharedBuffer &SharedBuffer::operator=(SharedBuffer &&other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  std::swap(header_, other.header_);
  std::swap(rings_, other.rings_);
  std::swap(states_, other.states_);
  std::swap(subbufs_, other.subbufs_);
  std::swap(file_bytes_, other.file_bytes_);
  std::swap(ring_count_, other.ring_count_);
  std::swap(subbuf_count_, other.subbuf_count_);
  std::swap(pid_, other.pid_);
  std::swap(owner_, other.owner_);
  std::swap(is_copy_, other.is_copy_);
  std::swap(tells_freed_, other.tells_freed_);
  std::swap(is_locked_, other.is_locked_);
  std::swap(has_stopped_, other.has_stopped_);
  std::swap(cleared_, other.cleared_);
  return *this;
}

SharedBuffer::~SharedBuffer() {
  if (!header_)
    return;
  forget_mapping(header_);
  munmap(header_, file_bytes_);
}

// The size of a sub-buffer's memory, which is contiguous from its start. SEEK_HOLE would walk all
// the memory up to the next hole, in a full buffer once for each sub-buffer; SEEK_DATA looks at one
// page where there is memory. Where the file system knows no holes, all is memory.
uint64_t SharedBuffer::memory_bytes(uint32_t index) const {
  constexpr off_t kPage = NOPHOOK_SUBBUF_FIRST_BYTES;
  off_t begin = reinterpret_cast<char *>(subbuf(index)) - reinterpret_cast<char *>(header_);
  auto has_memory = [&](off_t page) {
    off_t data = ::lseek(file_.get(), begin + page, SEEK_DATA);
    return data == begin + page || (data < 0 && errno != ENXIO);
  };
  off_t has = 0, lacks = NOPHOOK_SUBBUF_BYTES; // the first page has memory, or is about to
  for (off_t page = lacks - kPage; lacks - has > kPage; page = (has + lacks) / 2 / kPage * kPage)
    (has_memory(page) ? has : lacks) = page;
  return (uint64_t)(has + kPage);
}

// The number's upper bits are chosen so that it is the latest one that has been begun.
SharedBuffer::Place SharedBuffer::consumed(uint32_t ring, int32_t tid) const {
  constexpr uint32_t kSeqMask = ~0u >> NOPHOOK_CONSUMED_WORD_BITS;
  uint32_t begun = ring_begun(ring);
  uint32_t packed = __atomic_load_n(&rings_[ring].consumed, __ATOMIC_ACQUIRE);
  if (ring_tid(ring) != tid || !packed)
    return {};
  uint32_t behind = (begun - (packed >> NOPHOOK_CONSUMED_WORD_BITS)) & kSeqMask;
  return {begun - std::min(behind, begun), packed & ((1u << NOPHOOK_CONSUMED_WORD_BITS) - 1)};
}

void SharedBuffer::set_consumed(uint32_t ring, int32_t tid, const Place &place) {
  if (ring_tid(ring) == tid)
    __atomic_store_n(&rings_[ring].consumed,
                     (uint32_t)place.seq << NOPHOOK_CONSUMED_WORD_BITS | place.word,
                     __ATOMIC_RELEASE);
}

bool SharedBuffer::lock() {
  if (!is_locked_ && !is_copy_)
    is_locked_ = ::flock(file_.get(), LOCK_EX | LOCK_NB) == 0;
  return is_locked_ || is_copy_;
}

void SharedBuffer::unlock() {
  if (is_locked_)
    ::flock(file_.get(), LOCK_UN);
  is_locked_ = false;
}

void SharedBuffer::stop() {
  if (!has_stopped_)
    cleared_ = cleared();
  has_stopped_ = true;
  __atomic_store_n(&header_->stop, 1, __ATOMIC_RELAXED);
}

// The time by a clock that only the process can read, as far as the rings show it.
uint64_t SharedBuffer::newest_time() const {
  uint64_t newest = 0;
  for (uint32_t i = 0; i < subbuf_count(); i++)
    if (state(i) != NOPHOOK_SUBBUF_FREE)
      newest = std::max(newest, last_time(*subbuf(i), words(i)));
  return newest;
}

// Gives back the sub-buffers that their owners have left and that contain nothing else. A word that
// is 0 belongs to an event whose writer will come back.
void SharedBuffer::give_back_cleared() {
  for (uint32_t i = 0; i < subbuf_count(); i++) {
    if (state(i) != NOPHOOK_SUBBUF_FULL)
      continue;
    nophook_subbuf header = *subbuf(i);
    auto used = words(i, std::min(header.used, kMaxSubbufUsed) & ~7u);
    if (!count_words(used).has_hole && words_before(&header, used, cleared()) == used.size())
      give_back(i);
  }
}

void SharedBuffer::clear() {
  uint32_t clock = __atomic_load_n(&header_->clock, __ATOMIC_ACQUIRE);
  uint64_t now = clock == NOPHOOK_CLOCK_COUNTER ? newest_time() + 1
                                                : clock_now(*header_) + header_->clock_base;
  uint64_t had = cleared();
  while (had < now && !__atomic_compare_exchange_n(&header_->cleared, &had, now, false,
                                                   __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  uint64_t lost = this->lost(), overwritten = this->overwritten();
  __atomic_fetch_add(&header_->clears, 1, __ATOMIC_RELEASE);
  __atomic_fetch_sub(&header_->lost, lost, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&header_->overwritten, overwritten, __ATOMIC_RELAXED);
  if (header_->tracer_off)
    header_->tracer = NOPHOOK_EVENT_NONE; // none of its events is left
  bool had_lock = is_locked_;
  if (!overwrites() && lock())
    give_back_cleared();
  if (!had_lock)
    unlock();
}

void SharedBuffer::begin_anew(uint64_t session) {
  __atomic_store_n(&header_->session, session, __ATOMIC_RELAXED);
  has_stopped_ = false;
  clear();
  __atomic_store_n(&header_->error, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&header_->stop, 0, __ATOMIC_RELEASE);
}

// `used` is cleared first: if we are killed before all is zeroed, the next reader sees that it is
// empty.
void SharedBuffer::give_back(uint32_t index) {
  if (!is_copy_) {
    __atomic_store_n(&subbuf(index)->used, 0, __ATOMIC_RELEASE);
    if (index < subbuf_most() || ::madvise(subbuf(index), NOPHOOK_SUBBUF_BYTES, MADV_REMOVE) != 0)
      std::memset(subbuf(index), 0, memory_bytes(index));
  }
  // Release: the zeroes are written before any thread can take it (the writer's CAS acquires).
  __atomic_store_n(&states_[index], NOPHOOK_SUBBUF_FREE, __ATOMIC_RELEASE);
  if (!is_copy_ && tells_freed_)
    __atomic_fetch_add(&header_->freed, 1, __ATOMIC_RELEASE);
}

std::string SharedBuffer::log_lines(uint32_t *offset) const {
  uint32_t end = std::min<uint32_t>(__atomic_load_n(&header_->log_bytes, __ATOMIC_ACQUIRE),
                                    sizeof header_->log);
  if (*offset >= end)
    return "";
  std::string text(header_->log + *offset, end - *offset);
  text.resize(std::min(text.find('\0'), text.size())); // cuts off a line that is being written
  text.resize(text.rfind('\n') + 1);
  *offset += (uint32_t)text.size();
  return text;
}

} // namespace nophook
