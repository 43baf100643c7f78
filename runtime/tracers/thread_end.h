// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a thread ends in the middle of calls, by pthread_exit() or a cancellation, no event shows
// it, and its calls would stay open for ever. So the destructor of a thread-specific value writes
// an event: it runs when the calls have been left and unwinding is done. For exit() there are
// handlers.
//
// The value is set with the first event of a thread, maybe in a signal handler, in the middle of
// malloc(), with arguments in vector registers. So it is set where that takes a store and no
// memory: in glibc for the first 32 keys. In a program that had 32 keys before it was traced, the
// key is given back, and ends are not recorded (docs/limits.md).

#pragma once

namespace nophook {

// Makes function_graph record the ends of threads; call it before any thread's first event. Under
// the runtime's lock; once is enough.
void tell_thread_ends();

} // namespace nophook
