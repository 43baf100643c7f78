// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Empties buffers, checks limits and hooks, and sleeps until the next round or an event.

#include "process/recorder/recorder.h"

#include "process/drain/clocks.h"
#include "process/recorder/names_at_end.h"
#include "process/recorder/recording_frame.h"

#include <algorithm>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace nophook {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::nanoseconds kShortPause = 200us, kLongPause = 2ms, kIdlePause = 10ms;
constexpr auto kIdleAfter = 1s;
constexpr auto kLookAround = 20ms;
constexpr int kLooksForProcesses = 5; // looks, one of which is also for processes that are gone
constexpr auto kClockEvery = 1s;

} // namespace

void say_line(const std::string &line) {
  const std::string text = line + "\n";
  // If this fails, no other output is left to report it.
  (void)!::write(STDERR_FILENO, text.data(), text.size());
}

Recorder::Recorder(BufferSource &source, RecordingWriter &writer, const Limits &limits)
    : source_(source), writer_(writer), limits_(limits),
      drain_(source, writer, [this](const std::string &line) { say(line); }), live_(STDERR_FILENO) {
  if (limits.bytes)
    writer.limit(limits.bytes);
}

void Recorder::say(const std::string &line) {
  live_.erase();
  say_line(line);
}

void Recorder::end(const std::string &why) {
  is_over_ = true;
  if (why_.empty())
    why_ = why;
}

void Recorder::end_if_full() {
  if (writer_.is_full())
    end(fmt::format("at {:.1f} MiB (--max-size)", (double)writer_.bytes() / (1 << 20)));
}

void Recorder::check_limits(Clock::time_point now) {
  end_if_full();
  if (limits_.duration.count() && now - start_ >= limits_.duration)
    end(fmt::format("after {:g} s (--duration)", (double)limits_.duration.count() / 1000));
}

void Recorder::wait(std::chrono::nanoseconds pause) {
  std::vector<pollfd> ready = {{source_.watch(), POLLIN, 0}};
  for (const RecorderHook *hook : hooks_) {
    ready.push_back({hook->descriptor(), POLLIN, 0});
    pause = std::min(pause, hook->most_pause());
  }
  const timespec limit = {pause / 1s, (pause % 1s).count()};
  const bool any = ::ppoll(ready.data(), ready.size(), &limit, nullptr) > 0;
  for (size_t i = 0; any && i < hooks_.size(); i++)
    if (ready[i + 1].revents)
      hooks_[i]->take_hint();
  if (source_.watch() < 0 || (any && ready[0].revents))
    drain_.look_around(false);
}

void Recorder::record() {
  start_ = Clock::now();
  Clock::time_point last_work = start_, last_look = start_, last_clock = start_;
  std::chrono::nanoseconds pause = kShortPause;
  int looks = 0;
  while (!is_over_) {
    wait(pause);
    for (RecorderHook *hook : hooks_)
      hook->step();
    const bool worked = drain_.tick();
    if (writer_.failure())
      break;
    const Clock::time_point now = Clock::now();
    check_limits(now);
    if (worked)
      last_work = now;
    pause = worked                         ? kShortPause
            : now - last_work > kIdleAfter ? kIdlePause
                                           : std::min(pause * 2, kLongPause);
    if (now - last_look >= kLookAround) {
      if (live_.is_due())
        live_.update(drain_.events_so_far(), drain_.lost_so_far(), writer_.bytes());
      drain_.look_around(++looks % kLooksForProcesses == 0);
      for (RecorderHook *hook : hooks_)
        hook->look();
      last_look = now;
    }
    if (now - last_clock >= kClockEvery) {
      write_clock(writer_, read_clocks());
      last_clock = now;
    }
  }
  live_.erase();
}

uint32_t Recorder::finish() {
  const uint32_t living = drain_.finish();
  end_if_full();
  write_clock(writer_, read_clocks());
  Json end = totals().json();
  if (uint64_t children = drain_.lost_children().count())
    end.add("children_lost", children);
  if (writer_.failure())
    end.add("failure", printable(writer_.failure()->problem));
  else if (!why_.empty())
    end.add("stopped", why_);
  writer_.finish(end.text());
  return living;
}

void Recorder::report(std::optional<KeepNames> names, RecorderHook &user) {
  if (std::string lost = drain_.lost_children().text(); !lost.empty())
    say("nophook: " + lost);
  if (names && !record_names_at_end(totals(), *names, writer_, user))
    say("nophook: the recording has no names of functions: a signal came while they were read");
  say("nophook: " + totals_text(totals(), writer_));
}

} // namespace nophook
