// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "process/launch/session.h"

#include "foundation/counted.h"
#include "process/drain/clocks.h"
#include "process/drain/drain.h"
#include "process/drain/recover.h"
#include "process/launch/child.h"
#include "process/launch/descendants.h"
#include "process/launch/live_line.h"
#include "process/launch/recording_frame.h"

#include <chrono>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

namespace nophook {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// How long to sleep when there was nothing to do: a program that fills its buffers fast is
// looked after fast, an idle one costs nothing.
constexpr std::chrono::nanoseconds kShortSleep = 200us, kLongSleep = 2ms, kIdleSleep = 10ms;
constexpr auto kIdleAfter = 1s;
constexpr auto kEagerSleep = 300us; // between looks at a program that is being executed
constexpr auto kLookAround = 20ms;
constexpr auto kShortProgram = 50ms;  // until then without inotify, whose end takes long
constexpr int kLooksForProcesses = 5; // every so many looks around: processes that are gone
constexpr auto kClockEvery = 1s;
constexpr size_t kMostToAsk = 100; // processes, for their sites
constexpr auto kGrace = 1s;        // for the program, after a signal
constexpr auto kKillAfter = 10s;   // --kill: after SIGTERM

std::string signal_name(int number) {
  const char *name = sigabbrev_np(number); // none of those without a fixed meaning
  return name ? fmt::format("SIG{}", name) : fmt::format("signal {}", number);
}

class Session {
public:
  Session(Child &child, Descendants &descendants, BufferFolder &folder, RecordingWriter &writer,
          const Limits &limits, const AtEnd &at_end, const Program &program)
      : child_(child), folder_(folder), writer_(writer), limits_(limits), at_end_(at_end),
        has_sites_(program.note.empty()), descendants_(descendants),
        drain_(folder, writer, [this](const std::string &line) { say(line); }) {}

  int run(const std::string &program);

private:
  void say(const std::string &line);
  void stop(std::string why);
  void stop_if_full();
  void handle_signals();
  bool is_over();
  void record_until_end();
  void sleep(std::chrono::nanoseconds time);
  void finalize(const std::string &program, bool ended);
  void say_what_is_missing(const std::string &program, bool ended);
  int wait_for_program(const std::string &program);
  void write_snapshots();

  Child &child_;
  BufferFolder &folder_;
  RecordingWriter &writer_;
  const Limits limits_;
  const AtEnd at_end_;
  const bool has_sites_;
  Descendants &descendants_;
  Drain drain_;
  LiveLine live_{2};
  bool finalized_ = false;
  std::string stopped_;                       // why the recording shall end, the program has not
  std::optional<Clock::time_point> deadline_; // when it shall, after a signal
  int signal_ = 0;                            // the first that has come
  int quiet_looks_ = 0;                       // in a row, with nothing to wait for
};

void Session::say(const std::string &line) {
  live_.erase();
  std::string text = line + "\n";
  // Where standard error is gone there is nowhere else to say it.
  (void)!write(2, text.data(), text.size());
}

void Session::stop(std::string why) {
  if (stopped_.empty())
    stopped_ = std::move(why);
}

void Session::stop_if_full() {
  if (writer_.is_full())
    stop(fmt::format("at {:.1f} MiB (--max-size)", (double)writer_.bytes() / (1 << 20)));
}

void Session::handle_signals() {
  while (auto signal = child_.next_signal()) {
    if (signal->number == SIGCHLD)
      continue;
    bool is_ours = signal->number == SIGINT && !signal->from_terminal;
    if (!signal->from_terminal && !is_ours)
      child_.send(signal->number);
    signal_ = signal_ ? signal_ : signal->number;
    if (!deadline_)
      deadline_ = Clock::now() + (is_ours ? 0s : kGrace);
    else if (is_ours)
      deadline_ = Clock::now();
  }
  if (deadline_ && Clock::now() >= *deadline_)
    stop("on " + signal_name(signal_));
}

void Session::sleep(std::chrono::nanoseconds time) {
  timespec limit = {time / 1s, (time % 1s).count()};
  pollfd ready[] = {{child_.signals(), POLLIN, 0},
                    {folder_.watch(), POLLIN, 0},
                    {finalized_ ? -1 : descendants_.watch(), POLLIN, 0}};
  bool any = ppoll(ready, 3, &limit, nullptr) > 0;
  bool new_buffers = folder_.watch() < 0 || (any && ready[1].revents);
  if (any && ready[2].revents)
    descendants_.take_hint();
  if (new_buffers && finalized_)
    drain_.discard_new_buffers();
  else if (new_buffers)
    drain_.look_around(false);
}

// Whether the program has ended, and whatever else is waited for. One look is not enough: a process
// that it has passed may fork another one and end. (Buffers do not: their numbers of processes may
// be of another namespace.)
bool Session::is_over() {
  if (!child_.exit_status() || !at_end_.wait_children)
    return child_.exit_status().has_value();
  descendants_.look();
  quiet_looks_ = descendants_.living().empty() ? quiet_looks_ + 1 : 0;
  return quiet_looks_ > 1;
}

void Session::record_until_end() {
  const Clock::time_point start = Clock::now();
  Clock::time_point last_work = start, last_look = start, last_clock = start;
  std::chrono::nanoseconds pause = kShortSleep;
  int looks = 0;
  bool over = false, is_short = true;
  while (stopped_.empty() && !over) {
    sleep(pause);
    handle_signals();
    bool worked = drain_.tick();
    if (writer_.failure())
      return;
    stop_if_full();
    Clock::time_point now = Clock::now();
    if (is_short && now - start >= kShortProgram) {
      is_short = false;
      (void)folder_.start_inotify(); // it works without, a little slower
    }
    if (worked)
      last_work = now;
    pause = worked                         ? kShortSleep
            : now - last_work > kIdleAfter ? kIdleSleep
                                           : std::min(pause * 2, kLongSleep);
    descendants_.look_if_due();
    if (descendants_.is_eager())
      pause = kEagerSleep;
    if (limits_.duration.count() && now - start >= limits_.duration)
      stop(fmt::format("after {:g} s (--duration)", (double)limits_.duration.count() / 1000));
    if (now - last_look >= kLookAround) {
      if (live_.is_due())
        live_.update(drain_.events_so_far(), drain_.lost_so_far(), writer_.bytes());
      drain_.look_around(++looks % kLooksForProcesses == 0);
      last_look = now;
      over = is_over();
    }
    over |= !at_end_.wait_children && child_.exit_status();
    if (now - last_clock >= kClockEvery) {
      write_clock(writer_, read_clocks());
      last_clock = now;
    }
  }
}

// A recording of each, beside the one of all.
void Session::write_snapshots() {
  const std::vector<std::string> &snapshots = drain_.snapshots();
  for (size_t i = 0; i < snapshots.size(); i++) {
    std::string path = fmt::format("{}.snapshot{}", writer_.path(), i + 1);
    auto found = choose_buffers(snapshots[i]);
    auto writer = found ? RecordingWriter::create(path) : Result<RecordingWriter>(found.error());
    auto events =
        writer ? recover(*found, *writer, at_end_.names) : Result<uint64_t>(writer.error());
    say(events ? fmt::format("nophook: {} of a snapshot in {}", counted(*events, "event"),
                             printable(path))
               : "nophook: " + printable(events.error().text()));
  }
}

void Session::finalize(const std::string &program, bool ended) {
  if (ended)
    drain_.process_gone(child_.pid());
  descendants_.look();
  drain_.finish();
  stop_if_full();
  write_clock(writer_, read_clocks());
  Json end = drain_.totals().json();
  bool failed = writer_.failure().has_value();
  if (uint64_t children = drain_.lost_children().count())
    end.add("children_lost", children);
  if (failed)
    end.add("failure", printable(writer_.failure()->problem));
  else if (!stopped_.empty())
    end.add("stopped", stopped_);
  writer_.finish(end.text());
  if (at_end_.names)
    record_names(drain_.totals(), *at_end_.names, writer_);
  if (failed)
    say("nophook: " + printable(writer_.failure()->text()) +
        (ended ? ": the recording is not complete"
               : ": the recording is not complete, the program continues"));
  else if (!stopped_.empty())
    say(fmt::format(
        "nophook: recording has stopped {}{}", stopped_,
        ended ? "" : fmt::format(", {} {}", program, at_end_.kill ? "is ended" : "continues")));
  if (ended && child_.ended_by())
    say(fmt::format("nophook: {} was ended by {}", program, signal_name(child_.ended_by())));
  if (!failed)
    say_what_is_missing(program, ended);
  if (std::string lost = drain_.lost_children().text(); !lost.empty())
    say("nophook: " + lost);
  write_snapshots();
  say("nophook: " + totals_text(drain_.totals(), writer_));
  finalized_ = true;
}

void Session::say_what_is_missing(const std::string &program, bool ended) {
  std::vector<int32_t> followed = descendants_.living();
  followed.resize(std::min<size_t>(followed.size(), kMostToAsk));
  auto living = (uint64_t)std::ranges::count_if(followed, process_has_sites);
  living += descendants_.living().size() - followed.size();
  if (ended && living)
    say(fmt::format("nophook: {} has ended, {} still running: recorded up to here{}", program,
                    counted(living, "process is", "processes are"),
                    at_end_.wait_children ? "" : " (--wait-children waits)"));
  std::vector<std::string> missed = descendants_.missed().lines();
  for (const std::string &line : missed)
    say(fmt::format("nophook: {}{}", descendants_.may_have_missed_more() ? "at least " : "", line));
  if (drain_.has_seen_buffers() || !missed.empty())
    return;
  if (!has_sites_)
    say(fmt::format("nophook: {}: nothing was recorded: it has no traceable functions, and nothing "
                    "that it started or loaded had any",
                    program));
  else if (int number = child_.ended_by() ? child_.ended_by() : signal_)
    say(fmt::format(
        "nophook: {}: nothing was recorded: {} came before the runtime had started in it", program,
        signal_name(number)));
  else
    say(fmt::format("nophook: {}: nothing was recorded: the runtime did not start in it (is it "
                    "static, set-user-ID, or has it no traceable functions?)",
                    program));
}

// Returns its exit status. A signal that comes now is passed on; if that does not end the program,
// it ends at least our waiting.
int Session::wait_for_program(const std::string &program) {
  const Clock::time_point start = Clock::now();
  bool is_killed = false;
  if (!child_.exit_status() && at_end_.kill)
    child_.send(SIGTERM);
  else if (!child_.exit_status())
    say(fmt::format("nophook: waiting until {} ends, to exit with its status (--kill ends it with "
                    "the recording)",
                    program));
  signal_ = 0;
  deadline_.reset();
  if (folder_.watch() < 0)
    (void)folder_.start_inotify(); // else new buffers are looked for when something else happens
  while (!child_.exit_status()) {
    sleep(at_end_.kill || deadline_ ? 50ms : 10s);
    handle_signals();
    if (at_end_.kill && !is_killed && Clock::now() - start >= kKillAfter) {
      child_.send(SIGKILL);
      is_killed = true;
    }
    if (deadline_ && Clock::now() >= *deadline_ && !child_.exit_status()) {
      say(fmt::format("nophook: {} goes on", program));
      return 128 + signal_;
    }
  }
  bool by_us = at_end_.kill && (child_.ended_by() == SIGTERM || child_.ended_by() == SIGKILL);
  return by_us ? kExitOk : *child_.exit_status();
}

int Session::run(const std::string &program) {
  record_until_end();
  bool ended = child_.exit_status().has_value();
  finalize(program, ended);
  int status = ended ? *child_.exit_status() : wait_for_program(program);
  if (at_end_.strict && drain_.totals().events + drain_.totals().profiled == 0) {
    say(fmt::format("nophook: {}: nothing was recorded (--strict)", program));
    return kExitFailure;
  }
  return status == 0 && writer_.failure() ? kExitFailure : status;
}

} // namespace

Result<int> run_session(const Program &program, const std::vector<std::string> &variables,
                        BufferFolder &folder, RecordingWriter &writer, OldRecording &old,
                        const Limits &limits, const AtEnd &at_end, Json about) {
  if (limits.bytes)
    writer.limit(limits.bytes);
  begin_recording(writer, std::move(about));
  if (writer.failure())
    return *writer.failure();
  Descendants descendants(folder);
  auto child = Child::start(program, variables);
  NOPHOOK_TRY(child);
  old.is_replaced();
  descendants.begin(child->pid());
  // 50 us would be a quarter of our shortest sleep, and a program with many busy threads would
  // leave us one share of many. (A user without the right to do this loses a few events then, which
  // are counted.) A child would inherit both: so only now.
  prctl(PR_SET_TIMERSLACK, 1000);
  // Without the right, events may be lost, and are counted.
  (void)setpriority(PRIO_PROCESS, 0, -10);
  return Session(*child, descendants, folder, writer, limits, at_end, program)
      .run(printable(program.arguments.front()));
}

} // namespace nophook
