// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pulls events under the buffer's lock, and keeps lines and pages for readers of other CPUs.

#include "show/live/event_pipe.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace nophook {

namespace {

constexpr size_t kMostKept = 16 << 20; // the most bytes kept for a CPU without a reader
constexpr int kTries = 100;
constexpr std::chrono::milliseconds kPause(10);
constexpr std::chrono::seconds kClockPause(1);

// Removes the first lines from a text, at most `bytes` of them, or one line. With one line more,
// the next read of a client would get only its rest.
std::string cut_lines(std::string *text, size_t bytes) {
  size_t end = std::string::npos;
  if (bytes && bytes < text->size()) {
    end = text->rfind('\n', bytes - 1);
    if (end == std::string::npos)
      end = text->find('\n', bytes);
  }
  std::string part = text->substr(0, end == std::string::npos ? end : end + 1);
  text->erase(0, part.size());
  return part;
}

} // namespace

Result<std::unique_ptr<EventPipe>> EventPipe::open(const std::string &path, uint32_t page_bytes,
                                                   NameStyle names) {
  auto buffer = SharedBuffer::open(path);
  NOPHOOK_TRY(buffer);
  return std::make_unique<EventPipe>(std::move(*buffer), page_bytes, names);
}

void EventPipe::drop_cleared() {
  uint64_t cleared = buffer_.cleared();
  if (std::exchange(cleared_, cleared) == cleared)
    return;
  for (auto &[cpu, lines] : lines_) // readers keep the entries' addresses
    lines.clear();
  rest_.clear();
  pages_.clear();
}

Result<> EventPipe::begin(const TraceOptions &options) {
  if (!text_ || text_->is_old(buffer_)) {
    if (text_ && !text_->has_clock_of(buffer_)) // the former events have been cleared
      pages_.clear();
    auto text = LiveText::create(buffer_, options, names_);
    NOPHOOK_TRY(text);
    text_ = std::move(*text);
    clock_followed_ = Clock::now();
  } else if (Clock::now() - clock_followed_ > kClockPause) {
    text_->follow_clock(buffer_);
    clock_followed_ = Clock::now();
  }
  if (!events_ || !events_->is_current())
    events_ = std::make_unique<LiveEvents>(buffer_, LiveEvents::Use::kConsume);
  else
    events_->look();
  return {};
}

// Keeps lines of a CPU. Without a reader, the oldest lines are dropped.
void EventPipe::keep(uint32_t cpu, std::string lines) {
  std::string &kept = lines_[cpu];
  kept += lines;
  if (kept.size() <= kMostKept)
    return;
  size_t end = kept.find('\n', kMostKept / 2) + 1;
  auto lost = std::count(kept.begin(), kept.begin() + (ptrdiff_t)end, '\n');
  kept.replace(0, end, fmt::format("CPU:{} [LOST {} EVENTS]\n", cpu, lost));
}

Result<> EventPipe::pull(const std::function<bool()> &is_enough, const TraceOptions &options,
                         bool raw) {
  // A client that clears the buffer or reads it elsewhere has the lock for a moment; a recorder
  // keeps it.
  for (int tries = 0; !buffer_.lock(); tries++) {
    if (tries == kTries)
      return error_at(buffer_.path(), "another reader reads it");
    std::this_thread::sleep_for(kPause);
  }
  struct Unlock {
    SharedBuffer &buffer;
    ~Unlock() { buffer.unlock(); }
  } unlock{buffer_};
  drop_cleared();
  NOPHOOK_TRY(begin(options));
  Thread *thread;
  Step step;
  while (!is_enough() && events_->next(&thread, &step)) {
    drop_cleared();
    if (step.tsc < cleared_)
      continue; // an event of a sub-buffer that was copied before the clearing
    if (raw) {
      pages_.add(text_->functions(), text_->recording().clock(), *thread, step);
      uint32_t cpu = step.cpu == NOPHOOK_CPU_UNKNOWN ? 0 : step.cpu;
      while (pages_.waiting(cpu) > kMostKept)
        pages_.drop_page(cpu);
    } else {
      text_->step(*thread, step);
      keep(step.cpu == NOPHOOK_CPU_UNKNOWN ? 0 : step.cpu, text_->take());
    }
  }
  events_->consume();
  return {};
}

Result<std::string> EventPipe::read(int cpu, size_t bytes, const TraceOptions &options) {
  std::lock_guard guard(mutex_);
  drop_cleared();
  std::string &wanted = cpu < 0 ? rest_ : lines_[(uint32_t)cpu];
  if (cpu < 0)
    for (auto &[number, lines] : lines_)
      rest_ += std::exchange(lines, "");
  auto is_enough = [&] {
    if (cpu < 0) // in the order of time, not CPU by CPU
      for (auto &[number, lines] : lines_)
        rest_ += std::exchange(lines, "");
    return wanted.size() >= bytes;
  };
  if (!is_enough()) {
    NOPHOOK_TRY(pull(is_enough, options, false));
    is_enough();
  }
  return cut_lines(&wanted, bytes);
}

Result<std::string> EventPipe::read_page(uint32_t cpu, bool partial) {
  std::lock_guard guard(mutex_);
  drop_cleared();
  std::string page = pages_.take(cpu, false);
  if (!page.empty())
    return page;
  NOPHOOK_TRY(pull([&] { return pages_.waiting(cpu) > 0; }, {}, true));
  if (partial && !pages_.waiting(cpu))
    pages_.flush();
  return pages_.take(cpu, partial);
}

// Whether there are words that are written and not consumed. They may belong to an incomplete
// event; then it will be complete soon.
bool EventPipe::has_words() const {
  return std::ranges::any_of(held_subbufs(buffer_), [&](const HeldSubbuf &held) {
    SharedBuffer::Place consumed = buffer_.consumed(held.ring, held.tid);
    SubbufPart part;
    return held.seq >= consumed.seq &&
           copy_part(buffer_, held, held.seq == consumed.seq ? consumed.word : 0, false, &part) &&
           !part.words.empty();
  });
}

bool EventPipe::has_lines(int cpu, const TraceOptions &options) {
  std::lock_guard guard(mutex_);
  drop_cleared();
  if (cpu < 0)
    return !rest_.empty() || has_words() ||
           std::ranges::any_of(lines_, [](const auto &kept) { return !kept.second.empty(); });
  std::string &lines = lines_[(uint32_t)cpu];
  if (lines.empty() && has_words())
    // After an error there is no line.
    (void)pull([&] { return !lines.empty(); }, options, false);
  return !lines.empty();
}

bool EventPipe::has_page(uint32_t cpu) {
  std::lock_guard guard(mutex_);
  drop_cleared();
  if (!pages_.waiting(cpu) && has_words())
    // After an error there is no page.
    (void)pull([&] { return pages_.waiting(cpu) > 0; }, {}, true);
  return pages_.waiting(cpu) > 0;
}

} // namespace nophook
