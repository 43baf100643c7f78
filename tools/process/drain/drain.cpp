// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps a ProcessDrain for each buffer, and calls all of them in each round.

#include "process/drain/drain.h"

namespace nophook {

bool Drain::begin_anew(SharedBuffer buffer, uint64_t session) {
  lost_children_.watch(buffer.path(), totals_.processes, LostChildren::Since::kNow);
  auto process = std::make_unique<ProcessDrain>(std::move(buffer), writer_, totals_);
  if (!process->begin_anew(session))
    return false;
  processes_.push_back(std::move(process));
  return true;
}

bool Drain::tick() {
  if (writer_.failure())
    return false;
  bool worked = false;
  for (auto &process : processes_)
    worked |= process->drain();
  if (writer_.failure())
    stop();
  return worked;
}

void Drain::say_lines(const std::string &lines) {
  for (size_t at = 0, end; (end = lines.find('\n', at)) != std::string::npos; at = end + 1)
    say_(printable(lines.substr(at, end - at)));
}

void Drain::find_buffers() {
  for (const std::string &path : source_.new_buffers()) {
    auto buffer = SharedBuffer::open(path);
    if (!buffer) {
      say_("nophook: " + buffer.error().text());
      continue;
    }
    if (buffer->header().snapshot) { // complete already, and its process goes on
      snapshots_.push_back(path);
      continue;
    }
    finish_image(buffer->owner(), buffer->header().image);
    lost_children_.watch(path, totals_.processes, LostChildren::Since::kStart);
    if (stopped_)
      buffer->stop();
    processes_.push_back(std::make_unique<ProcessDrain>(std::move(*buffer), writer_, totals_));
  }
}

// Finishes the processes that are gone.
template <class IsIt> void Drain::finish_all(IsIt is_it) {
  for (size_t i = 0; i < processes_.size();)
    if (is_it(*processes_[i]))
      finish_one(i, true);
    else
      i++;
}

// A process has a second buffer when it has executed another program: none of the first one's
// threads is left. A second copy of the runtime in the same image (dlmopen) has a buffer beside the
// first.
void Drain::finish_image(const Owner &owner, uint64_t image) {
  finish_all([&](ProcessDrain &process) {
    return process.owner().is_same(owner) && (!image || process.image() != image);
  });
}

void Drain::look_around(bool all) {
  find_buffers();
  for (size_t i = 0; i < processes_.size();) {
    ProcessDrain &process = *processes_[i];
    say_lines(process.read_log());
    if (all && process.owner().is_gone()) {
      finish_one(i, true);
      continue;
    }
    process.read_modules();
    process.reclaim_threads();
    if (all)
      say_lines(process.judge_filters());
    i++;
  }
}

void Drain::finish_one(size_t index, bool gone) {
  ProcessDrain &process = *processes_[index];
  process.finish(gone);
  lost_children_.parent_recorded(process.path());
  say_lines(process.read_log());
  source_.done_with(process.path(), gone);
  processes_.erase(processes_.begin() + (ptrdiff_t)index);
}

void Drain::process_gone(int32_t pid) {
  finish_all([pid](ProcessDrain &process) { return process.owner().had_number_here(pid); });
}

uint64_t Drain::lost_so_far() const {
  uint64_t lost = totals_.lost;
  for (const auto &process : processes_)
    lost += process->lost_now();
  return lost;
}

uint64_t Drain::events_so_far() const {
  uint64_t events = totals_.events;
  for (const auto &process : processes_)
    events += process->undrained();
  return events;
}

void Drain::stop() {
  stopped_ = true;
  for (auto &process : processes_)
    process->stop();
}

void Drain::discard_new_buffers() {
  for (const std::string &path : source_.new_buffers()) {
    if (auto buffer = SharedBuffer::open(path))
      buffer->stop();
    source_.done_with(path, false);
  }
}

void Drain::record_lost_events_of_children() {
  lost_children_.take_events([&](uint32_t process, uint64_t lost) {
    LostCount count = {~0u, 0, lost, 0};
    writer_.append(ChunkType::kLost, process,
                   {reinterpret_cast<const uint8_t *>(&count), sizeof count});
    totals_.lost += lost;
  });
}

uint32_t Drain::finish() {
  find_buffers();
  stop();
  uint32_t living = 0;
  while (!processes_.empty()) {
    Life life = processes_.back()->owner().life();
    living += life == Life::kAlive;
    finish_one(processes_.size() - 1, life == Life::kGone);
  }
  record_lost_events_of_children();
  return living;
}

} // namespace nophook
