// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A traced process's buffer file, mapped: the reader's half of include/nophook/buffer.h.
//
// The traced program may overwrite it at any time. The values that decide where we read and write
// are checked once and copied. No later value is used as an index unchecked.

#pragma once

#include "foundation/file.h"
#include "foundation/identity.h"
#include "foundation/result.h"

#include <nophook/buffer.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

namespace nophook {

class SharedBuffer {
public:
  static Result<SharedBuffer> open(const std::string &path);

  // Opens a copy of its present state: changes of the copy leave the file as it is.
  static Result<SharedBuffer> open_copy(const std::string &path);

  SharedBuffer(SharedBuffer &&other) noexcept { *this = std::move(other); }
  SharedBuffer &operator=(SharedBuffer &&other) noexcept;
  ~SharedBuffer();

  const std::string &path() const { return path_; }
  int32_t pid() const { return pid_; } // in its own namespace
  Owner &owner() { return owner_; }
  bool is_copy() const { return is_copy_; }
  const nophook_buffer &header() const { return *header_; }
  uint32_t ring_count() const { return ring_count_; }
  // End of the indices that were ever begun.
  uint32_t subbuf_count() const { return at_most(header_->subbuf_used); }
  // End of the indices that may be begun now.
  uint32_t subbuf_most() const { return at_most(header_->subbuf_most); }

  // Acquires what the owner has written before it left the sub-buffer (writer.cpp: release).
  uint32_t state(uint32_t index) const {
    return __atomic_load_n(&states_[index], __ATOMIC_ACQUIRE);
  }
  nophook_subbuf *subbuf(uint32_t index) const {
    return reinterpret_cast<nophook_subbuf *>(subbufs_ + (uint64_t)index * NOPHOOK_SUBBUF_BYTES);
  }
  std::span<const uint64_t> words(uint32_t index, uint64_t bytes) const {
    return {reinterpret_cast<const uint64_t *>(subbuf(index) + 1), bytes / 8};
  }

  // All words that have memory, of a sub-buffer that its owner may be writing.
  std::span<const uint64_t> words(uint32_t index) const {
    return words(index, memory_bytes(index) - NOPHOOK_SUBBUF_HEADER_BYTES);
  }
  // The size of a sub-buffer's memory, header included. A look behind it through the mapping would
  // allocate memory, which is a SIGBUS where the file system is full.
  uint64_t memory_bytes(uint32_t index) const;

  // Makes this the only reader that gives sub-buffers back, until it is unlocked or destroyed.
  // False: another reader is. True for a copy. Repeated calls are cheap.
  bool lock();
  void unlock();

  // Hides the events so far from readers, and frees their room if the lock is free.
  void clear();
  // Does the same, and ends the `stop` of an earlier reader. Buffers that fork children make from
  // now on have the same `session`.
  void begin_anew(uint64_t session);
  // Events before this time are gone; since stop() it does not move.
  uint64_t cleared() const {
    return has_stopped_ ? cleared_ : __atomic_load_n(&header_->cleared, __ATOMIC_ACQUIRE);
  }

  // Zeroes the sub-buffer, then lets any thread take it. In a copy it is passed over. The lock is
  // held.
  void give_back(uint32_t index);

  // Entries behind `ring_used` have no memory yet, and a look would allocate some.
  int32_t ring_tid(uint32_t ring) const {
    uint32_t used = __atomic_load_n(&header_->ring_used, __ATOMIC_ACQUIRE);
    return used && ring >= used ? 0 : __atomic_load_n(&rings_[ring].tid, __ATOMIC_ACQUIRE);
  }
  // Events lost since the buffer was cleared.
  uint64_t ring_lost(uint32_t ring) const {
    return is_counting(ring) ? __atomic_load_n(&rings_[ring].lost, __ATOMIC_RELAXED) : 0;
  }

  uint32_t ring_begun(uint32_t ring) const {
    return __atomic_load_n(&rings_[ring].subbufs, __ATOMIC_RELAXED);
  }
  // Whether rings count written events, and sub-buffers have the number before them
  // (nophook/buffer.h). Older writers count overwritten ones.
  bool counts_written() const { return header_->version > 5; }
  // Events written since the buffer was cleared, in sub-buffers that the thread has left; for an
  // older writer, overwritten ones.
  uint64_t ring_written(uint32_t ring) const {
    return is_counting(ring) ? __atomic_load_n(&rings_[ring].written, __ATOMIC_RELAXED) : 0;
  }
  // The events of its ring that were written before a sub-buffer, whose words these are all; since
  // the buffer was cleared.
  uint64_t events_before(std::span<const uint64_t> words) const {
    return words.size() < NOPHOOK_BEFORE_WORDS
               ? 0
               : nophook_events_before(words.data(),
                                       __atomic_load_n(&header_->clears, __ATOMIC_ACQUIRE));
  }

  // The place up to which readers have consumed a thread's ring: they go on at word `word` of
  // sub-buffer `seq`.
  struct Place {
    uint64_t seq = 0;
    uint32_t word = 0;
    bool operator==(const Place &) const = default;
  };
  Place consumed(uint32_t ring, int32_t tid) const;
  // The caller holds the lock.
  void set_consumed(uint32_t ring, int32_t tid, const Place &place);

  // A flight recorder: no sub-buffer of a living thread may be given back.
  bool overwrites() const {
    return __atomic_load_n(&header_->full, __ATOMIC_ACQUIRE) == NOPHOOK_FULL_OVERWRITE;
  }

  void pause(bool paused) {
    __atomic_store_n(&header_->paused, (uint32_t)paused, __ATOMIC_RELAXED);
  }

  // Lets another thread take the ring of `tid`, which is gone. All its sub-buffers must have been
  // given back. False: another thread has taken it over, and has added the losses to the header.
  bool give_back_ring(uint32_t ring, int32_t tid) {
    return __atomic_compare_exchange_n(&rings_[ring].tid, &tid, 0, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
  }

  // Asks the writers to stop. A writer notices when it leaves its sub-buffer.
  void stop();

  uint64_t overwritten() const { return __atomic_load_n(&header_->overwritten, __ATOMIC_RELAXED); }
  uint64_t lost() const { return __atomic_load_n(&header_->lost, __ATOMIC_RELAXED); }

  // Complete lines of the log from `*offset` on; `*offset` is moved behind them.
  std::string log_lines(uint32_t *offset) const;

private:
  SharedBuffer() = default;
  static Result<SharedBuffer> open(const std::string &path, bool is_copy);

  // A count of the header, if it is possible; 0 means the number for which the file is made.
  uint32_t at_most(const uint32_t &count) const {
    uint32_t told = __atomic_load_n(&count, __ATOMIC_ACQUIRE);
    return told && told < subbuf_count_ ? told : subbuf_count_;
  }
  bool is_counting(uint32_t ring) const {
    return __atomic_load_n(&rings_[ring].clears, __ATOMIC_ACQUIRE) ==
           __atomic_load_n(&header_->clears, __ATOMIC_RELAXED);
  }
  uint64_t newest_time() const;
  void give_back_cleared();

  std::string path_;
  FileDescriptor file_; // its flock is the lock
  nophook_buffer *header_ = nullptr;
  nophook_ring *rings_ = nullptr;
  uint32_t *states_ = nullptr;
  char *subbufs_ = nullptr;
  uint64_t file_bytes_ = 0;
  uint32_t ring_count_ = 0;
  uint32_t subbuf_count_ = 0;
  int32_t pid_ = 0;
  Owner owner_;
  bool is_copy_ = false;
  bool tells_freed_ = false; // whether its header has that field
  bool is_locked_ = false;
  bool has_stopped_ = false;
  uint64_t cleared_ = 0; // time of the clearing when it was opened
};

} // namespace nophook
