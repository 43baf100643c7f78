// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of our own, straight from the kernel: the host's malloc may be traced, replaced,
// or holding its lock when we need some.

#pragma once

#include "base/bytes.h"
#include "base/syscall.h"

#include <linux/mman.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 // Linux 5.14
#endif
#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18 // Linux 4.14
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 // Linux 5.14
#endif

namespace nophook {

// The address from which pages are requested downwards, away from the program's own mappings: a
// library that comes again finds its old place free then, and takes over its ids and islands. 0:
// not known yet.
inline uint64_t g_pages_top = 0;
// Bytes requested so far; the last ones are given back when they are freed. Addresses repeat after
// kPagesArea bytes.
inline uint64_t g_pages_taken = 0;
constexpr uint64_t kPagesArea = 32ull << 30;

// Zeroed private pages; null when the kernel refuses. Thread, signal and fork safe.
inline void *map_pages(uint64_t bytes, int extra_flags = 0) {
  constexpr uint64_t kDistance = 64ull << 30;
  bytes = round_up(bytes, kPageBytes);
  uint64_t top = __atomic_load_n(&g_pages_top, __ATOMIC_RELAXED);
  uint64_t wish = 0;
  if (top && bytes < kPagesArea) {
    uint64_t before = __atomic_fetch_add(&g_pages_taken, bytes, __ATOMIC_RELAXED);
    wish = top - before % kPagesArea - bytes;
  }
  long result = sys(SYS_mmap, wish, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | extra_flags, -1, 0);
  if (sys_failed(result)) {
    if (wish)
      __atomic_fetch_sub(&g_pages_taken, bytes, __ATOMIC_RELAXED);
    return nullptr;
  }
  if (!top && (uint64_t)result > 4 * kDistance)
    __atomic_compare_exchange_n(&g_pages_top, &top, (uint64_t)result - kDistance, false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return reinterpret_cast<void *>(result);
}

inline void unmap_pages(void *address, uint64_t bytes) {
  if (!address)
    return;
  bytes = round_up(bytes, kPageBytes);
  sys(SYS_munmap, address, bytes);
  uint64_t taken = __atomic_load_n(&g_pages_taken, __ATOMIC_RELAXED);
  uint64_t top = __atomic_load_n(&g_pages_top, __ATOMIC_RELAXED);
  if (reinterpret_cast<uint64_t>(address) == top - taken % kPagesArea)
    __atomic_compare_exchange_n(&g_pages_taken, &taken, taken - bytes, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
}

// An array of plain elements that grows; for cold code. Elements are moved bytewise.
// Owner: the scope that declares it; freed by its destructor.
template <class T> class Array {
public:
  Array() = default;
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  ~Array() { unmap_pages(data_, capacity_ * sizeof(T)); }

  // Makes room for `count` elements in all; false when there is no memory.
  [[nodiscard]] bool reserve(uint64_t count) {
    if (count <= capacity_)
      return true;
    uint64_t bytes = round_up(count * sizeof(T), kPageBytes);
    T *grown = static_cast<T *>(map_pages(bytes));
    if (!grown)
      return false;
    copy_bytes(static_cast<void *>(grown), data_, size_ * sizeof(T));
    unmap_pages(data_, capacity_ * sizeof(T));
    data_ = grown;
    capacity_ = bytes / sizeof(T);
    return true;
  }

  [[nodiscard]] bool push(const T &value) {
    if (size_ == capacity_ && !reserve(size_ ? size_ * 2 : 1))
      return false;
    data_[size_++] = value;
    return true;
  }

  // Appends an element; room for it has been reserved.
  void append(const T &value) { data_[size_++] = value; }

  void swap(Array &other) {
    T *data = data_;
    uint64_t size = size_, capacity = capacity_;
    data_ = other.data_;
    size_ = other.size_;
    capacity_ = other.capacity_;
    other.data_ = data;
    other.size_ = size;
    other.capacity_ = capacity;
  }

  void clear() { size_ = 0; }
  void shrink(uint64_t size) { size_ = size; }
  uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T *data() { return data_; }
  T &operator[](uint64_t i) { return data_[i]; }
  const T &operator[](uint64_t i) const { return data_[i]; }
  T *begin() { return data_; }
  T *end() { return data_ + size_; }
  const T *begin() const { return data_; }
  const T *end() const { return data_ + size_; }

private:
  T *data_ = nullptr;
  uint64_t size_ = 0;
  uint64_t capacity_ = 0;
};

} // namespace nophook
