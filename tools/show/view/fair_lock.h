// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock that threads get in the order in which they ask.
//
// The reader of a stream unlocks it every half millisecond, so that the page gets an answer, and
// locks it again at once. With std::mutex, a waiting thread is only being woken by then, and the
// reader has the lock already. The page waited for seconds.

#pragma once

#include <atomic>
#include <cstdint>

namespace nophook {

class FairLock {
public:
  void lock() {
    const uint32_t ticket = next_.fetch_add(1, std::memory_order_relaxed);
    // Acquire pairs with the release in unlock().
    for (uint32_t now; (now = serving_.load(std::memory_order_acquire)) != ticket;)
      serving_.wait(now, std::memory_order_acquire);
  }
  void unlock() {
    serving_.fetch_add(1, std::memory_order_release);
    serving_.notify_all();
  }

private:
  std::atomic<uint32_t> next_{0}, serving_{0};
};

} // namespace nophook
