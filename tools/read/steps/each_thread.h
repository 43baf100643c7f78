// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a recording, each from its first step to its last one, several at the same time.
//
// Sums do not need the order of time between threads, which Merge makes on one core: each thread
// has its own Timeline, so every core can decode another one. The longest threads come first, so
// that no core is left with one of them at the end. A recording of one thread stays on one core.
//
// A worker holds one thread with a few sub-buffers, whatever the number of threads is. The values
// that a visitor adds up per worker and joins behind the end must not depend on which worker had
// which thread; sums of integers do not. The damage of the recording is reported as if one worker
// had read the threads, process by process.

#pragma once

#include "read/steps/merge.h"

#include <functional>

namespace nophook {

// As many as there are cores for this process and threads in the recording; 1 for a recording that
// is read before another core has begun.
unsigned decoding_workers(const Recording &recording);

// Calls visit(thread, worker) once for each thread that is `wanted` (null: all), with `worker`
// below `workers`; calls of one worker come one after the other. With one worker they come on the
// caller's thread, process by process in the order of their numbers. An exception of a visitor
// ends all of them and comes out of here.
using WantedThread = std::function<bool(const Thread &)>;
using VisitThread = std::function<void(Thread &thread, unsigned worker)>;
Skipped each_thread(Recording &recording, unsigned workers, const WantedThread &wanted,
                    const VisitThread &visit);

// The same for what reads the recording first, before another pass reports the damage.
void each_thread_before(const Recording &recording, unsigned workers, const WantedThread &wanted,
                        const VisitThread &visit);

} // namespace nophook
