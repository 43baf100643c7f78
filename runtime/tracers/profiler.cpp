// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of counts, and the slow path of the profiler: a thread's first call, and its first one of
// a module that was loaded later. It runs with all signals blocked; blocks are made one at a time.
//
// A store to a page that the file system has no room for would be a SIGBUS, so blocks are
// allocated whole. A thread that gets none is not counted.

#include "tracers/profiler.h"

#include "arch/fast_path.h"
#include "arch/own_thread.h"
#include "base/bytes.h"
#include "base/growing_file.h"
#include "base/log.h"
#include "base/own_identity.h"
#include "base/own_name.h"
#include "base/pause.h"
#include "base/signals.h"
#include "base/wiped_pages.h"
#include "buffer/trace_buffer.h"
#include "capture/tracer_thread.h"
#include "ops/filter.h"
#include "ops/own_stack.h"
#include "tracers/trace_array.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

namespace nophook {

static Profile g_no_profile;
thread_local Profile *nophook_profile_of_thread __attribute__((tls_model("initial-exec"))) =
    &g_no_profile;
uint64_t nophook_profile_thresh = 0;

static constexpr uint32_t kMaxBlocks = 8192;

struct Profiler::Block {
  Profile profile; // the part that the thread's calls use
  int32_t tid;
  uint32_t bytes;
  nophook_profile *shared;
};

// Zeroed in a fork child, which makes a file of its own.
struct Profiler::Blocks {
  uint32_t lock;
  uint32_t count;
  uint32_t turn; // index of the block that is looked at next, among blocks that threads have left
  uint64_t file_bytes;
  uint32_t refused; // number of calls of threads that have no block
  bool is_full;     // whether there was no room at the last look
  bool has_said_so;
  Block block[kMaxBlocks];
};

// The lock of the blocks, with signals blocked: a handler in the holder's thread that makes its
// first call would wait for it.
class Profiler::BlocksLock {
public:
  explicit BlocksLock(Blocks *blocks) : blocks_(blocks) {
    while (__atomic_exchange_n(&blocks->lock, 1, __ATOMIC_ACQUIRE))
      pause_briefly();
  }
  ~BlocksLock() { __atomic_store_n(&blocks_->lock, 0, __ATOMIC_RELEASE); }

private:
  BlockSignals block_;
  Blocks *blocks_;
};

// NAME.prof beside NAME.maps.
static void name_file(const Buffer &buffer, Text<640> *path) {
  uint64_t length = text_length(buffer.maps_path);
  constexpr uint64_t kSuffix = 5; // ".maps"
  path->add(buffer.maps_path, length > kSuffix ? length - kSuffix : 0).add(".prof");
}

void *Profiler::map_block(uint64_t bytes) {
  Text<640> path;
  name_file(*buffer_, &path);
  long fd =
      sys(SYS_openat, AT_FDCWD, path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (sys_failed(fd))
    return nullptr;
  long at = sys_growing(SYS_fallocate, fd, 0, blocks_->file_bytes, bytes);
  if (!sys_failed(at))
    at = sys(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, blocks_->file_bytes);
  sys(SYS_close, fd);
  if (sys_failed(at))
    return nullptr;
  blocks_->file_bytes += bytes;
  return reinterpret_cast<void *>(at);
}

// Takes the block of a thread that has ended: its counts stay, and stand for several threads from
// now on.
Profiler::Block *Profiler::inherit_block(uint32_t ids, uint32_t looks, int32_t mine) {
  for (uint32_t i = 0; i < blocks_->count && i < looks; i++) {
    Block &block = blocks_->block[blocks_->turn++ % blocks_->count];
    if (block.shared && block.profile.ids >= ids && block.tid != mine &&
        is_thread_gone(block.tid)) {
      block.shared->tid = 0;
      return &block;
    }
  }
  return nullptr;
}

Profiler::Block *Profiler::new_block(uint32_t ids) {
  if (blocks_->count == kMaxBlocks)
    return nullptr;
  uint64_t bytes =
      round_up(sizeof(nophook_profile) + (uint64_t)ids * sizeof(nophook_counts), kPageBytes);
  uint64_t most = buffer_->kib * 1024;
  if (bytes > UINT32_MAX || blocks_->file_bytes + bytes > most)
    return nullptr;
  auto *shared = static_cast<nophook_profile *>(map_block(bytes));
  if (!shared)
    return nullptr;
  shared->bytes = (uint32_t)bytes;
  shared->ids = (uint32_t)((bytes - sizeof(nophook_profile)) / sizeof(nophook_counts));
  shared->entry_bytes = sizeof(nophook_counts);
  Block *block = &blocks_->block[blocks_->count++];
  block->shared = shared;
  block->bytes = (uint32_t)bytes;
  block->profile.counts = reinterpret_cast<nophook_counts *>(shared + 1);
  return block;
}

Profile *Profiler::take_block(uint32_t id, Profile **mine) {
  BlocksLock lock(blocks_);
  uint32_t ids = id_limit() > id ? id_limit() : id + 1;
  int32_t tid = lasting_thread_id();
  // If there was no room, some blocks are looked at each time: threads may have ended since.
  constexpr uint32_t kLooks = 64;
  Block *block = new_block(ids);
  bool is_new = block;
  if (!block)
    block = inherit_block(ids, blocks_->is_full ? kLooks : kMaxBlocks, tid);
  blocks_->is_full = !block;
  if (!block) {
    if (!blocks_->has_said_so)
      log_line("no room for the counts of more threads: they are not profiled until others end");
    blocks_->has_said_so = true;
    return nullptr;
  }
  block->tid = tid;
  block->profile.child_ticks = *mine ? (*mine)->child_ticks : 0;
  if (is_new) {
    block->shared->tid = tid;
    read_own_name(block->shared->comm);
    __atomic_store_n(&block->shared->magic, NOPHOOK_PROFILE_MAGIC, __ATOMIC_RELEASE);
    __atomic_store_n(&block->profile.ids, (uint64_t)block->shared->ids, __ATOMIC_RELEASE);
  }
  *mine = &block->profile;
  return &block->profile;
}

// Whether a call is not counted: a look for room takes 20 us, so not each call of a thread without
// a block looks.
bool Profiler::is_refused() {
  constexpr uint32_t kBetweenLooks = 1024;
  return __atomic_load_n(&blocks_->is_full, __ATOMIC_RELAXED) &&
         __atomic_add_fetch(&blocks_->refused, 1, __ATOMIC_RELAXED) % kBetweenLooks != 0;
}

// Gives the thread, in `*mine`, counts that have a row for `id`.
Profile *Profiler::begin_block(uint32_t id, Profile **mine) {
  if (!buffer_is_on(*buffer_))
    return nullptr;
  BlockSignals block;
  return buffer_ready(*buffer_) ? take_block(id, mine) : nullptr;
}

Status Profiler::prepare(Buffer &buffer, bool has_times) {
  buffer_ = &buffer;
  if (!has_times || counts_only_)
    reset();
  counts_only_ = !has_times;
  if (blocks_)
    return {};
  void *at;
  NOPHOOK_TRY(map_wiped(sizeof(Blocks), "no memory for the profiler", &at));
  blocks_ = static_cast<Blocks *>(at);
  return {};
}

void set_profile_thresh(uint64_t ticks) {
  __atomic_store_n(&nophook_profile_thresh, ticks, __ATOMIC_RELAXED);
}

Status Profiler::sum(Array<nophook_counts> *sums) const {
  uint64_t ids = id_limit();
  if (!sums->reserve(ids))
    return failure(ENOMEM, "no memory for the profiler's counts");
  while (sums->size() < ids)
    sums->append({});
  if (!blocks_)
    return {};
  BlocksLock lock(blocks_);
  for (uint32_t i = 0; i < blocks_->count; i++) {
    const Block &block = blocks_->block[i];
    for (uint64_t id = 0; id < ids && id < block.profile.ids; id++) {
      const nophook_counts &counts = block.profile.counts[id];
      nophook_counts &sum = (*sums)[id];
      sum.hits += __atomic_load_n(&counts.hits, __ATOMIC_RELAXED);
      sum.total += __atomic_load_n(&counts.total, __ATOMIC_RELAXED);
      sum.self += __atomic_load_n(&counts.self, __ATOMIC_RELAXED);
      sum.sum += __atomic_load_n(&counts.sum, __ATOMIC_RELAXED);
      uint64_t low = __atomic_load_n(&counts.square_low, __ATOMIC_RELAXED);
      sum.square_low += low;
      sum.square_high +=
          __atomic_load_n(&counts.square_high, __ATOMIC_RELAXED) + (sum.square_low < low);
    }
  }
  return {};
}

void Profiler::reset() {
  if (!blocks_)
    return;
  BlocksLock lock(blocks_);
  for (uint32_t i = 0; i < blocks_->count; i++) {
    const Block &block = blocks_->block[i];
    for (uint64_t id = 0; id < block.profile.ids; id++)
      block.profile.counts[id] = {};
  }
}

void Profiler::finish_leaving() {
  if (!blocks_)
    return;
  forget_profiles(buffer_->number);
  for (uint32_t i = 0; i < blocks_->count; i++)
    unmap_pages(blocks_->block[i].shared, blocks_->block[i].bytes);
  unmap_wiped(blocks_, sizeof(Blocks));
  if (buffer_is_own(*buffer_)) { // else the file is the parent's
    Text<640> path;
    name_file(*buffer_, &path);
    sys(SYS_unlinkat, AT_FDCWD, path.c_str(), 0);
  }
  *this = {};
}

Profile *Profiler::counts_of_thread(uint32_t id) {
  TracerThread *thread = tracer_thread();
  if (!thread)
    return nullptr;
  Profile **mine = &thread->in[buffer_->number].profile;
  if (*mine && id < (*mine)->ids)
    return *mine;
  if (!buffer_is_own(*buffer_) || is_refused())
    return nullptr;
  Profile *found = nullptr;
  run_on_own_stack([&] { found = begin_block(id, mine); });
  return found;
}

Profile *Profiler::counts_of_top(uint32_t id) {
  return is_refused() ? nullptr : begin_block(id, &nophook_profile_of_thread);
}

extern "C" Profile *nophook_profile_slow(uint32_t id) {
  return top_array().profiler.counts_of_top(id);
}

extern "C" void nophook_count_hit(uint32_t id) {
  const Profile *mine = nophook_profile_of_thread;
  // Loaded first: a handler may fork behind this line, and the child has no counts.
  nophook_counts *counts = __atomic_load_n(&mine->counts, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (id >= mine->ids) {
    mine = nophook_profile_slow(id);
    counts = mine ? mine->counts : nullptr;
  }
  if (counts)
    add_own(&counts[id].hits, 1);
}

} // namespace nophook
