// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "decode/merge.h"

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
  threads_.push_back(std::move(thread));
  idle_.push_back(threads_.back().get());
  return *threads_.back();
}

void Merge::look_again() {
  for (Thread *thread : std::exchange(idle_, {}))
    refill(thread);
}

bool Merge::later(const Ahead &a, const Ahead &b) {
  if (a.step.tsc != b.step.tsc)
    return a.step.tsc > b.step.tsc;
  return a.thread->stream() > b.thread->stream();
}

void Merge::refill(Thread *thread) {
  Ahead ahead;
  ahead.thread = thread;
  thread->note_place();
  if (!thread->timeline().next(&ahead.step)) {
    idle_.push_back(thread);
    return;
  }
  heap_.push_back(ahead);
  std::push_heap(heap_.begin(), heap_.end(), later);
}

bool Merge::next(Thread **thread, Step *step) {
  if (heap_.empty())
    return false;
  std::pop_heap(heap_.begin(), heap_.end(), later);
  *thread = heap_.back().thread;
  *step = heap_.back().step;
  heap_.pop_back();
  refill(*thread);
  return true;
}

bool Merge::next_open(Thread **thread, Step *step) {
  for (; closing_ < threads_.size(); closing_++) {
    *thread = threads_[closing_].get();
    if ((*thread)->timeline().next_open(step))
      return true;
  }
  return false;
}

uint64_t Merge::skipped() const {
  uint64_t sum = 0;
  for (const auto &thread : threads_)
    sum += thread->timeline().skipped();
  return sum;
}

} // namespace nophook
