// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rings whose threads have ended, so that new threads find them without a look at each of 8192. A
// thread that ends leaves its sub-buffer to readers and puts its ring into a queue, in a destructor
// (tracers/thread_end.h). In a flight recorder the ring waits until its last sub-buffer has been
// overwritten; the thread that takes that one puts the ring into the queue.
//
// A ring in a queue is no proof that its thread is gone: destructors of the program run behind
// ours, and write events. So one tgkill() checks each ring that is taken from the queue. A ring
// whose thread still lives goes back to the end of its queue.
//
// A thread that ends without destructors (a bare clone(), the system call `exit`) is found by
// turns, one ring at a time.

#pragma once

#include "base/status.h"
#include "buffer/place_queue.h"

namespace nophook {

struct Buffer;
struct Writer;

// Both structures are in memory that is zeroed in a fork child. A child's first event reads and
// writes the first one only.
struct LeftRings {
  uint32_t fresh; // rings from this one on have never been used
  uint32_t turn;  // a counter for the search by turns, with any value
  uint32_t any;   // whether a ring has been put into the queue
};
struct LeftQueue {
  PlaceQueue ended;         // rings of which nothing is in the buffer, as far as is known
  uint8_t is_left[kPlaces]; // by ring: whether it is in the queue
};

// Gives a ring that a vfork child has taken the number of the thread that continues with it.
void adopt_ring(Buffer &buffer, Writer *w);
// Leaves the ring of the calling thread, which ends: its sub-buffer becomes FULL. It may still
// write.
void leave_ring(Buffer &buffer);
// Puts a ring into the queue, where new threads look for it.
void put_left(Buffer &buffer, uint32_t ring);

// Takes a ring out of the queue, or kNoPlace.
uint32_t pop_left(const Buffer &buffer);

} // namespace nophook
