// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// set_event_pid and set_event_notrace_pid: in which threads events that were made by text count. A
// process stands for all of its threads; who is in both lists is not wanted.

#pragma once

#include "base/status.h"

#include <stdint.h>

namespace nophook {

constexpr uint32_t kMaxEventPids = 64;

enum class EventPids : uint8_t { kPid, kNotrace };
// Under the runtime's lock. Errors: ENOSPC.
Status add_event_pid(EventPids which, int32_t id);
void clear_event_pids(EventPids which);
// By number; false: there are no more.
bool event_pid(EventPids which, uint32_t number, int32_t *id);

// In callbacks: of the calling thread.
bool event_pids_allow();

} // namespace nophook
