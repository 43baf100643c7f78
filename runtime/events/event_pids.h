// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// set_event_pid and set_event_notrace_pid: the threads in which events that were made by text
// count, for the main buffer (0) and for each instance.

#pragma once

#include "selection/pid_list.h"

namespace nophook {

// Reads and changes the lists. Under the runtime's lock. Errors of adding: EINVAL, ENOSPC.
const PidList &event_pids(uint32_t instance, PidFilter which);
Status add_event_pids(uint32_t instance, PidFilter which, const char *text, uint64_t bytes);
void clear_event_pids(uint32_t instance, PidFilter which);

// In callbacks: the buffers in which events of the calling thread count, a bit for each instance.
uint32_t event_pids_allow();

} // namespace nophook
