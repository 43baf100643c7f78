// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Snapshot: the present contents of a buffer's rings, set aside in a file of its own,
// PID-STAMP.sN.buf (of an instance PID-STAMP.sN@NAME.buf) with its .maps, while everything goes on.
// A reader takes it for the buffer of a process that is gone.

#pragma once

#include "buffer/trace_buffer.h"

namespace nophook {

// The most snapshots of a buffer; at the next one, the log reports that no more are taken.
constexpr uint32_t kMaxSnapshots = 16;

// The number of the longest latency's snapshot (tracers/latency.h): each replaces the one before.
constexpr uint32_t kLatencySnapshot = kMaxSnapshots + 1;
bool take_latency_snapshot(Buffer &buffer);

// Takes a snapshot, in an event or anywhere. The calling thread copies: some 0.3 ms for each MiB
// that is used. False: another thread is taking one, or there is no room; the log reports it.
// `tell`: the log names the file.
bool take_snapshot(Buffer &buffer, bool tell);

// The same for callers that must not be refused: if there are as many as allowed, the new snapshot
// replaces the newest.
bool renew_snapshot(Buffer &buffer);

// Removes the files of the snapshots that this process has taken, which makes room for new ones.
// Returns whether it has taken any since the last call of free_snapshots(). Under the runtime's
// lock.
void drop_snapshots(const Buffer &buffer);
void free_snapshots(const Buffer &buffer);
bool snapshot_is_allocated(const Buffer &buffer);

} // namespace nophook
