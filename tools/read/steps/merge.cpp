// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/steps/merge.h"

#include "read/steps/name_changes.h"
#include "read/steps/stack_borders.h"

#include <algorithm>

namespace nophook {

Thread::Thread(Recording &recording, uint32_t stream)
    : Thread(recording, stream,
             [&recording](const RecordedStream::Subbuf &subbuf, SubbufView *view) {
               return recording.load(subbuf, view);
             }) {}

Thread::Thread(const Recording &recording, uint32_t stream, Recording::Damages *damages)
    : Thread(recording, stream,
             [&recording, damages](const RecordedStream::Subbuf &subbuf, SubbufView *view) {
               return recording.load(subbuf, view, damages);
             }) {}

Thread::Thread(const Recording &recording, uint32_t stream, Load load)
    : stream_(stream), process_(recording.streams().at(stream).process),
      tid_(recording.streams().at(stream).tid),
      timeline_([load = std::move(load), &recorded = recording.streams().at(stream),
                 at = size_t{0}](Timeline::Words *words) mutable {
        while (at < recorded.subbufs.size()) {
          SubbufView view;
          if (!load(recorded.subbufs[at++], &view))
            continue;
          words->header = view.header;
          words->words = view.words;
          words->memory = std::move(view.memory);
          return true;
        }
        return false;
      }) {
  timeline_.find_borders_by([&recording, stream] { return stack_borders(recording, stream); });
  timeline_.set_ns_per_tick(recording.clock().ns_per_tick);
  timeline_.add_source(name_changes(recording, stream));
  auto process = recording.processes().find(process_);
  if (process != recording.processes().end())
    pid_ = process->second.pid;
}

std::string Thread::comm() const {
  std::string name = printable(timeline_.comm());
  return name.empty() ? "<...>" : name;
}

Merge::Merge(Recording &recording, const Wanted &wanted) {
  for (const auto &[stream, recorded] : recording.streams()) {
    auto thread = std::make_unique<Thread>(recording, stream);
    if (wanted && !wanted(*thread))
      continue;
    add(std::move(thread));
  }
  look_again();
}

Thread &Merge::add(std::unique_ptr<Thread> thread) {
  slots_.push_back(std::make_unique<Slot>(std::move(thread), Step()));
  idle_.push_back(slots_.back().get());
  return *slots_.back()->thread;
}

void Merge::look_again() {
  for (Slot *slot : std::exchange(idle_, {}))
    if (refill(slot)) {
      heap_.push_back({slot->step.tsc, slot});
      std::push_heap(heap_.begin(), heap_.end(), later);
    } else {
      idle_.push_back(slot);
    }
}

bool Merge::later(const Ahead &a, const Ahead &b) {
  if (a.tsc != b.tsc)
    return a.tsc > b.tsc;
  return a.slot->thread->stream() > b.slot->thread->stream();
}

bool Merge::refill(Slot *slot) {
  slot->thread->note_place();
  return slot->thread->timeline().next(&slot->step);
}

// The first of the heap has another time: it goes down to where it belongs. A thread often has
// many steps before the next one's, so this is mostly one look at its two neighbours.
void Merge::sink() {
  size_t at = 0;
  const Ahead moved = heap_[0];
  for (size_t child; (child = 2 * at + 1) < heap_.size(); at = child) {
    if (child + 1 < heap_.size() && later(heap_[child], heap_[child + 1]))
      child++;
    if (!later(moved, heap_[child]))
      break;
    heap_[at] = heap_[child];
  }
  heap_[at] = moved;
}

bool Merge::next(Thread **thread, Step *step) {
  if (heap_.empty())
    return false;
  Slot *slot = heap_[0].slot;
  *thread = slot->thread.get();
  *step = slot->step;
  if (refill(slot)) {
    heap_[0].tsc = slot->step.tsc;
  } else {
    idle_.push_back(slot);
    heap_[0] = heap_.back();
    heap_.pop_back();
  }
  if (heap_.size() > 1)
    sink();
  return true;
}

bool Merge::next_open(Thread **thread, Step *step) {
  for (; closing_ < slots_.size(); closing_++) {
    *thread = slots_[closing_]->thread.get();
    if ((*thread)->timeline().next_open(step))
      return true;
  }
  return false;
}

std::vector<const Thread *> Merge::threads() const {
  std::vector<const Thread *> threads;
  for (const auto &slot : slots_)
    threads.push_back(slot->thread.get());
  return threads;
}

Skipped Merge::skipped() const {
  Skipped sum;
  for (const auto &slot : slots_)
    sum += slot->thread->timeline().skipped();
  return sum;
}

} // namespace nophook
