// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread of the runtime's own, which no thread waits for.

#pragma once

#include <stddef.h>

namespace nophook {

// Starts run(nullptr) in a detached thread with a stack of that size. It blocks all signals but
// SIGTRAP, which changes of text use, and the one by which the C library changes user ids. Returns
// 0 or an errno of pthread_create(), which allocates: not in signal handlers, nor under the
// runtime's lock.
int start_background_thread(void *(*run)(void *), size_t stack_bytes);

} // namespace nophook
