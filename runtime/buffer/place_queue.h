// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads have one place each of several kinds: a ring, a table of rings. A new thread could look
// through all places for one that a thread has left; behind eight thousand short threads that takes
// milliseconds. So a thread that ends puts its place into a queue, and a new one takes the oldest.
//
// A bounded queue of several producers and consumers (Vyukov's). No thread waits: while a producer
// is interrupted in the middle, consumers see an empty queue. The numbers are relative to the
// cell's index, so that a queue in memory that is all zero is empty, as in a fork child.

#pragma once

#include <stdint.h>

namespace nophook {

constexpr uint32_t kPlaces = 8192; // a power of two
constexpr uint32_t kNoPlace = ~0u;

struct PlaceQueue {
  struct Cell {
    uint32_t turn; // + index: the ticket that may use the cell next; one more: it is filled
    uint32_t place;
  };
  uint32_t head, tail; // the next tickets of consumers and producers
  Cell cells[kPlaces];
};

// Puts a place at the end. False: the queue is full, or a consumer has its ticket but has not
// emptied the cell yet while all others went round. The caller finds the place in another way.
inline bool push_place(PlaceQueue *queue, uint32_t place) {
  uint32_t ticket = __atomic_load_n(&queue->tail, __ATOMIC_RELAXED);
  for (;;) {
    uint32_t index = ticket % kPlaces;
    PlaceQueue::Cell *cell = &queue->cells[index];
    // Acquire: pairs with the release of the consumer that has emptied the cell.
    auto ahead = (int32_t)(__atomic_load_n(&cell->turn, __ATOMIC_ACQUIRE) + index - ticket);
    if (ahead < 0)
      return false;
    if (ahead > 0) {
      ticket = __atomic_load_n(&queue->tail, __ATOMIC_RELAXED);
    } else if (__atomic_compare_exchange_n(&queue->tail, &ticket, ticket + 1, false,
                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      cell->place = place;
      __atomic_store_n(&cell->turn, ticket + 1 - index, __ATOMIC_RELEASE);
      return true;
    }
  }
}

// Takes the place that has been in the queue for the longest time, or kNoPlace.
inline uint32_t pop_place(PlaceQueue *queue) {
  uint32_t ticket = __atomic_load_n(&queue->head, __ATOMIC_RELAXED);
  for (;;) {
    uint32_t index = ticket % kPlaces;
    PlaceQueue::Cell *cell = &queue->cells[index];
    // Acquire: pairs with the release of the producer.
    auto ahead = (int32_t)(__atomic_load_n(&cell->turn, __ATOMIC_ACQUIRE) + index - ticket - 1);
    if (ahead < 0)
      return kNoPlace;
    if (ahead > 0) {
      ticket = __atomic_load_n(&queue->head, __ATOMIC_RELAXED);
    } else if (__atomic_compare_exchange_n(&queue->head, &ticket, ticket + 1, false,
                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      uint32_t place = cell->place;
      __atomic_store_n(&cell->turn, ticket + kPlaces - index, __ATOMIC_RELEASE);
      return place;
    }
  }
}

} // namespace nophook
