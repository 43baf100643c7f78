// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a stopped thread's stack has room for a signal handler's frame.
//
// A thread may sleep at the end of its stack. Below a stack of the C library's lies a page that may
// not be touched; we could write to it nevertheless (/proc/TID/mem does), and the thread would die
// when it comes back. Below a stack that the program has made (pthread_attr_setstack), its data may
// lie in the same mapping: only the C library knows the border.

#pragma once

#include "process/stop/process_map.h"

#include <cstdint>

namespace nophook {

// `low`: the address at which the frame is to begin, below the stack pointer `sp`. `map`: as of
// now. `is_first`: it is the process's first thread, whose stack grows.
bool has_stack_room(int32_t tid, uint64_t low, uint64_t sp, uint64_t thread_pointer,
                    const ProcessMap &map);

} // namespace nophook
