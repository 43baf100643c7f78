// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the recorder's loop, reads signals in each round, and waits for the program at the end.

#include "process/launch/session.h"

#include "foundation/counted.h"
#include "process/drain/recover.h"
#include "process/launch/child.h"
#include "process/launch/descendants.h"
#include "process/recorder/recorder.h"
#include "process/recorder/recording_frame.h"

#include <chrono>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>

namespace nophook {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kShortProgram = 50ms; // time without inotify, whose end takes long
constexpr size_t kMostToAsk = 100;   // processes whose sites are checked
constexpr auto kGrace = 1s;          // time for the program to end after a signal
constexpr auto kKillAfter = 10s;     // --kill: after SIGTERM

std::string signal_name(int number) {
  const char *name = sigabbrev_np(number); // null for signals without a fixed meaning
  return name ? fmt::format("SIG{}", name) : fmt::format("signal {}", number);
}

class Session : public RecorderHook {
public:
  Session(Child &child, Descendants &descendants, BufferFolder &folder, RecordingWriter &writer,
          const Limits &limits, const AtEnd &at_end, const Program &program)
      : child_(child), folder_(folder), writer_(writer), at_end_(at_end),
        has_sites_(program.has_sites), has_lost_sites_(program.has_lost_sites),
        descendants_(descendants), recorder_(folder, writer, limits) {}

  int run(const std::string &program);

  int descriptor() const override { return child_.signals(); }
  void step() override;
  void look() override;
  bool wants_end() override { return handle_signals(); }

private:
  bool handle_signals();
  void wait(std::chrono::milliseconds time);
  void finalize(const std::string &program, bool ended);
  void say_what_is_missing(const std::string &program, bool ended);
  int wait_for_program(const std::string &program);
  void write_snapshots();
  std::string what_it_lacks();

  Child &child_;
  BufferFolder &folder_;
  RecordingWriter &writer_;
  const AtEnd &at_end_;
  const bool has_sites_, has_lost_sites_;
  Descendants &descendants_;
  Recorder recorder_;
  const Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> deadline_; // time at which the recording ends after a signal
  int signal_ = 0;                            // the first signal that has come
  bool has_tried_watch_ = false, has_missed_ = false;
  int quiet_looks_ = 0; // looks in a row with nothing to wait for
};

// True: a signal has come.
bool Session::handle_signals() {
  bool has_come = false;
  while (auto signal = child_.next_signal()) {
    if (signal->number == SIGCHLD)
      continue;
    has_come = true;
    bool is_ours = signal->number == SIGINT && !signal->from_terminal;
    if (!signal->from_terminal && !is_ours)
      child_.send(signal->number);
    signal_ = signal_ ? signal_ : signal->number;
    if (!deadline_)
      deadline_ = Clock::now() + (is_ours ? 0s : kGrace);
    else if (is_ours)
      deadline_ = Clock::now();
  }
  return has_come;
}

void Session::step() {
  handle_signals();
  if (deadline_ && Clock::now() >= *deadline_)
    recorder_.end("on " + signal_name(signal_));
  if (!has_tried_watch_ && Clock::now() - start_ >= kShortProgram) {
    has_tried_watch_ = true;
    (void)folder_.start_inotify(); // without it, new buffers are found a little later
  }
  if (!at_end_.wait_children && child_.exit_status())
    recorder_.end();
}

// A single look is not enough for --wait-children: a process that it has passed may fork another
// one and end. (Buffers do not show that: their numbers of processes may be of another namespace.)
void Session::look() {
  if (!at_end_.wait_children || !child_.exit_status())
    return;
  descendants_.look_at_all();
  quiet_looks_ = descendants_.living().empty() ? quiet_looks_ + 1 : 0;
  if (quiet_looks_ > 1)
    recorder_.end();
}

// Writes a recording of each snapshot, beside the main one.
void Session::write_snapshots() {
  const std::vector<std::string> &snapshots = recorder_.drain().snapshots();
  for (size_t i = 0; i < snapshots.size(); i++) {
    std::string path = fmt::format("{}.snapshot{}", writer_.path(), i + 1);
    auto found = choose_buffers(snapshots[i]);
    auto writer = found ? RecordingWriter::create(path) : Result<RecordingWriter>(found.error());
    auto events =
        writer ? recover(*found, *writer, at_end_.names) : Result<uint64_t>(writer.error());
    recorder_.say(events ? fmt::format("nophook: {} of a snapshot in {}", counted(*events, "event"),
                                       printable(path))
                         : "nophook: " + printable(events.error().text()));
  }
}

void Session::finalize(const std::string &program, bool ended) {
  if (ended)
    recorder_.drain().process_gone(child_.pid());
  descendants_.look_at_all();
  recorder_.finish();
  const std::optional<Error> failure = writer_.failure();
  if (failure)
    recorder_.say("nophook: " + printable(failure->text()) +
                  (ended ? ": the recording is not complete"
                         : ": the recording is not complete, the program continues"));
  else if (!recorder_.why().empty())
    recorder_.say(fmt::format(
        "nophook: recording has stopped {}{}", recorder_.why(),
        ended ? "" : fmt::format(", {} {}", program, at_end_.kill ? "is ended" : "continues")));
  if (ended && child_.ended_by())
    recorder_.say(
        fmt::format("nophook: {} was ended by {}", program, signal_name(child_.ended_by())));
  if (!failure)
    say_what_is_missing(program, ended);
  write_snapshots();
  // A signal that comes from here on is meant for the wait.
  signal_ = 0;
  deadline_.reset();
  recorder_.report(at_end_.names, *this);
}

void Session::say_what_is_missing(const std::string &program, bool ended) {
  std::vector<int32_t> followed = descendants_.living();
  followed.resize(std::min<size_t>(followed.size(), kMostToAsk));
  auto living = (uint64_t)std::ranges::count_if(followed, process_has_sites);
  living += descendants_.living().size() - followed.size();
  if (ended && living)
    recorder_.say(fmt::format("nophook: {} has ended, {} still running: recorded up to here{}",
                              program, counted(living, "process is", "processes are"),
                              at_end_.wait_children ? "" : " (--wait-children waits)"));
  std::vector<std::string> missed = descendants_.missed().lines();
  has_missed_ = !missed.empty();
  for (const std::string &line : missed)
    recorder_.say(
        fmt::format("nophook: {}{}", descendants_.may_have_missed_more() ? "at least " : "", line));
  if (recorder_.drain().has_seen_buffers() || !missed.empty())
    return;
  if (!has_sites_)
    recorder_.say(
        fmt::format("nophook: {}: nothing was recorded: it has no traceable functions, and nothing "
                    "that it started or loaded had any",
                    program));
  else if (int number = child_.ended_by() ? child_.ended_by() : signal_)
    recorder_.say(fmt::format(
        "nophook: {}: nothing was recorded: {} came before the runtime had started in it", program,
        signal_name(number)));
  else
    recorder_.say(
        fmt::format("nophook: {}: nothing was recorded: the runtime did not start in it (is it "
                    "static, set-user-ID, or has it no traceable functions?)",
                    program));
}

// Waits for a signal, or for a process that begins, whose buffer will have no reader.
void Session::wait(std::chrono::milliseconds time) {
  pollfd ready[] = {{child_.signals(), POLLIN, 0}, {folder_.watch(), POLLIN, 0}};
  ::poll(ready, 2, (int)time.count());
  if (folder_.watch() < 0 || ready[1].revents)
    recorder_.drain().discard_new_buffers();
}

// Returns the program's exit status. A signal that comes now is passed on; if that does not end the
// program, it ends at least our waiting.
int Session::wait_for_program(const std::string &program) {
  const Clock::time_point start = Clock::now();
  bool is_killed = false;
  if (!child_.exit_status() && at_end_.kill)
    child_.send(SIGTERM);
  else if (!child_.exit_status())
    recorder_.say(
        fmt::format("nophook: waiting until {} ends, to exit with its status (--kill ends it with "
                    "the recording)",
                    program));
  if (folder_.watch() < 0)
    (void)folder_.start_inotify(); // else new buffers are looked for when something else happens
  while (!child_.exit_status()) {
    wait(at_end_.kill || deadline_ ? 50ms : 10s);
    handle_signals();
    if (at_end_.kill && !is_killed && Clock::now() - start >= kKillAfter) {
      child_.send(SIGKILL);
      is_killed = true;
    }
    if (deadline_ && Clock::now() >= *deadline_ && !child_.exit_status()) {
      recorder_.say(fmt::format("nophook: {} goes on", program));
      return 128 + signal_;
    }
  }
  bool by_us = at_end_.kill && (child_.ended_by() == SIGTERM || child_.ended_by() == SIGKILL);
  return by_us ? kExitOk : *child_.exit_status();
}

// The missing parts, for --strict; empty: the recording is complete.
std::string Session::what_it_lacks() {
  const DrainTotals &totals = recorder_.totals();
  if (totals.events + totals.profiled == 0)
    return "nothing was recorded";
  if (writer_.failure())
    return "the recording is not complete";
  if (totals.lost)
    return counted(totals.lost, "event was lost", "events were lost");
  if (has_missed_ || recorder_.drain().lost_children().count())
    return "a process was not recorded";
  return has_lost_sites_ ? "a function has a site that is in no table" : "";
}

int Session::run(const std::string &program) {
  recorder_.add(descendants_);
  recorder_.add(*this);
  recorder_.record();
  bool ended = child_.exit_status().has_value();
  finalize(program, ended);
  int status = ended ? *child_.exit_status() : wait_for_program(program);
  if (std::string lack = at_end_.strict ? what_it_lacks() : ""; !lack.empty()) {
    recorder_.say(fmt::format("nophook: {}: {} (--strict)", program, lack));
    return kExitFailure;
  }
  return status == 0 && writer_.failure() ? kExitFailure : status;
}

} // namespace

Result<int> run_session(const Program &program, const std::vector<std::string> &variables,
                        BufferFolder &folder, RecordingWriter &writer, OldRecording &old,
                        const Limits &limits, const AtEnd &at_end, Json about) {
  begin_recording(writer, std::move(about));
  if (writer.failure())
    return *writer.failure();
  Descendants descendants(folder);
  auto child = Child::start(program, variables);
  NOPHOOK_TRY(child);
  old.is_replaced();
  descendants.begin(child->pid());
  // A slack of 50 us would be a quarter of our shortest sleep, and a program with many busy threads
  // would leave us one share of many. (A user without the right to do this loses a few events then,
  // which are counted.) A child would inherit both, so they are set after its start.
  prctl(PR_SET_TIMERSLACK, 1000);
  // Without the right, events may be lost, and are counted.
  (void)setpriority(PRIO_PROCESS, 0, -10);
  return Session(*child, descendants, folder, writer, limits, at_end, program)
      .run(printable(program.arguments.front()));
}

} // namespace nophook
