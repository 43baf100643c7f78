// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes orders to ThreadSanitizer that it cannot see, because they come from assembly,
// membarrier and the kernel. A trampoline loads the callback after it has been published. Data that
// a callback has read is written only after a grace period. A thread's record is taken only when
// the kernel says that the thread is dead. Without ThreadSanitizer this file is empty.

#pragma once

namespace nophook {

#ifdef NOPHOOK_THREAD_SANITIZER
extern "C" void __tsan_acquire(void *);
extern "C" void __tsan_release(void *);
inline char tsan_calls, tsan_grace;
inline void call_is_set() {
  __tsan_release(&tsan_calls);
}
inline void callback_begins() {
  __tsan_acquire(&tsan_calls);
}
inline void callback_ends() {
  __tsan_release(&tsan_grace);
}
inline void grace_period_ends() {
  __tsan_acquire(&tsan_grace);
}
inline void record_is_taken() {
  __tsan_acquire(&tsan_grace);
}
#else
inline void record_is_taken() {}
inline void call_is_set() {}
inline void callback_begins() {}
inline void callback_ends() {}
inline void grace_period_ends() {}
#endif

} // namespace nophook
