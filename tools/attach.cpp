// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook attach: records a running process. One that does not serve its control tree is made to
// (process/attach/serve_process.h).
//
// It is `record` without the start. The process gets the settings for the time of the recording,
// and its old ones afterwards, however the recording ends. The recording has the calls from now on,
// of that process and of children that it makes from now on: those of fork, and programs that serve
// as it does.

#include "foundation/counted.h"
#include "foundation/identity.h"
#include "foundation/json.h"
#include "foundation/process.h"
#include "foundation/tracer_rows.h"
#include "process/attach/instrumented.h"
#include "process/attach/recorded_process.h"
#include "process/drain/clocks.h"
#include "process/drain/dir_option.h"
#include "process/drain/drain.h"
#include "process/launch/check_request.h"
#include "process/launch/executed_children.h"
#include "process/launch/followed_processes.h"
#include "process/launch/live_line.h"
#include "process/launch/missed_processes.h"
#include "process/launch/old_recording.h"
#include "process/launch/process_status.h"
#include "process/launch/recording_frame.h"
#include "process/launch/trace_request.h"
#include "process/launch/typed_filters.h"
#include "verbs.h"

#include <csignal>
#include <deque>
#include <fmt/format.h>
#include <functional>
#include <future>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace nophook {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kShortSleep = 1ms, kLongSleep = 10ms;
constexpr Clock::duration kLookAround = 20ms, kClockEvery = 1s;
constexpr std::chrono::milliseconds kPatience = 3s; // with children, at the end
constexpr int kLooksForProcesses = 5; // every so many looks around: processes that are gone

void say(const std::string &line) {
  std::string text = line + "\n";
  // Where standard error is gone there is nowhere else to say it.
  (void)!write(STDERR_FILENO, text.data(), text.size());
}

class Attached {
public:
  // `signals`: a signalfd of those that end it.
  Attached(int32_t pid, FollowedProcesses &followed, RecordingWriter &writer, const Limits &limits,
           FileDescriptor signals)
      : pid_(pid), followed_(followed), writer_(writer), limits_(limits),
        drain_(followed, writer, [this](const std::string &line) { tell(line); }),
        signals_(std::move(signals)) {}

  // False: another one reads the process's events.
  bool begin(SharedBuffer buffer) {
    return drain_.begin_anew(std::move(buffer), followed_.session());
  }

  // Until it is to end; calls `look` again and again.
  void record(const std::function<void()> &look);

  // Takes the remaining events, and reports.
  void finish();
  void finish_with_names(KeepNames names); // after the settings are restored

  void tell(const std::string &line) {
    live_.erase();
    say(line);
  }

private:
  bool is_over(Clock::time_point now);

  const int32_t pid_;
  FollowedProcesses &followed_;
  RecordingWriter &writer_;
  const Limits limits_;
  Drain drain_;
  FileDescriptor signals_;
  LiveLine live_{STDERR_FILENO};
  const Clock::time_point start_ = Clock::now();
  std::string why_; // it is to end
};

bool Attached::is_over(Clock::time_point now) {
  signalfd_siginfo signal;
  if (::read(signals_.get(), &signal, sizeof signal) == sizeof signal)
    why_ = fmt::format("on SIG{}", sigabbrev_np((int)signal.ssi_signo));
  else if (writer_.is_full())
    why_ = fmt::format("at {:.1f} MiB (--max-size)", (double)writer_.bytes() / (1 << 20));
  else if (limits_.duration.count() && now - start_ >= limits_.duration)
    why_ = fmt::format("after {:g} s (--duration)", (double)limits_.duration.count() / 1000);
  else if (process_is_gone(pid_))
    why_ = "because the process ended";
  return !why_.empty();
}

void Attached::record(const std::function<void()> &look) {
  Clock::time_point last_look, last_clock = start_;
  pollfd ready[] = {{signals_.get(), POLLIN, 0}, {followed_.watch(), POLLIN, 0}};
  std::chrono::milliseconds pause = kShortSleep;
  int looks = 0;
  while (!writer_.failure()) {
    ::poll(ready, 2, (int)pause.count());
    pause =
        drain_.tick() ? kShortSleep : std::min<std::chrono::milliseconds>(pause * 2, kLongSleep);
    Clock::time_point now = Clock::now();
    if (now - last_look < kLookAround && !ready[0].revents && !ready[1].revents)
      continue;
    last_look = now;
    if (is_over(now))
      break;
    drain_.look_around(++looks % kLooksForProcesses == 0);
    look();
    if (live_.is_due())
      live_.update(drain_.events_so_far(), drain_.lost_so_far(), writer_.bytes());
    if (now - last_clock >= kClockEvery) {
      write_clock(writer_, read_clocks());
      last_clock = now;
    }
  }
  live_.erase();
}

void Attached::finish() {
  bool is_gone = process_is_gone(pid_);
  uint32_t living = drain_.finish();
  write_clock(writer_, read_clocks());
  Json end = drain_.totals().json();
  if (uint64_t children = drain_.lost_children().count())
    end.add("children_lost", children);
  if (writer_.failure())
    end.add("failure", printable(writer_.failure()->problem));
  else
    end.add("stopped", why_);
  writer_.finish(end.text());
  if (writer_.failure())
    return;
  std::string rest;
  if (is_gone && living)
    rest = fmt::format(", {} still running: recorded up to here",
                       counted(living, "process is", "processes are"));
  say(fmt::format("nophook: recording of {} has ended {}{}", pid_, why_, rest));
  if (std::string lost = drain_.lost_children().text(); !lost.empty())
    say("nophook: " + lost);
}

void Attached::finish_with_names(KeepNames names) {
  if (writer_.failure())
    return;
  record_names(drain_.totals(), names, writer_);
  say("nophook: " + totals_text(drain_.totals(), writer_));
}

// The process has its settings back, and its children that serve have them, too. (Others have none
// to give back: they write no more events.)
Result<> restore(RestoredFiles &files, int32_t pid, const FollowedProcesses &followed) {
  for (int32_t child : followed.children())
    if (auto client = ControlClient::connect(child, kPatience))
      // A child that ends in the meantime has nothing to restore.
      (void)files.restore(*client);
  return process_is_gone(pid) ? Result<>() : files.restore();
}

struct Wanted {
  bool children = false; // --children
  TrustedFilter trust = TrustedFilter::kNo;
};

// The processes with settings of their own: children that were there before the recording, programs
// that are executed during it (--children), or the names of these, and those that the process
// itself executes. A program loads the runtime in
// its own time, so that is waited for in another thread, one program after the other.
class Members {
public:
  Members(int32_t pid, const Wanted &wanted, const TraceRequest &request, RestoredFiles &files,
          FollowedProcesses &followed, Attached &attached)
      : pid_(pid), wanted_(wanted), request_(request), files_(files), followed_(followed),
        attached_(attached), executed_(pid, followed.folder(), wanted.children) {}

  void begin_living(int32_t pid);
  // Called again and again during the recording.
  void look();
  // Behind the last look; says which programs were not recorded.
  void end();
  // Errors: the first; the others are still restored.
  Result<> restore();

  size_t count() const { return members_.size() + invited_.size(); }
  std::vector<int32_t> pids() const;

private:
  using Prepared = Result<std::unique_ptr<Member>>;
  void take(int32_t pid, Prepared prepared);
  void take_prepared();
  void leave_old_program(int32_t pid);

  const int32_t pid_;
  const Wanted &wanted_;
  const TraceRequest &request_;
  RestoredFiles &files_; // of pid_, as it was attached to
  FollowedProcesses &followed_;
  Attached &attached_;
  ExecutedChildren executed_;
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<int32_t> invited_; // which have the settings of FollowedProcesses
  MissedProcesses missed_;
  std::deque<int32_t> waiting_;
  int32_t under_way_ = 0;    // the process that is prepared
  uint64_t environment_ = 0; // its, as ProcessStatus has it
  std::future<Prepared> prepared_;
};

void Members::take(int32_t pid, Prepared prepared) {
  Result<> begun = prepared ? Result<>() : Result<>(prepared.error());
  // Likewise, as below, if its buffer was found before it had answered.
  if (!begun && begun.error().text() == is_taken(pid).text() && followed_.children().contains(pid))
    return;
  if (prepared) {
    auto buffer = SharedBuffer::open((*prepared)->buffer);
    // When it was made to serve, it found what we leave for programs that are executed. So it is
    // recorded, and gets its settings back, as a fork child.
    if (buffer && buffer->header().session == followed_.session()) {
      invited_.push_back(pid);
      return (*prepared)->files.keep();
    }
    followed_.know((*prepared)->buffer);
    if (!buffer)
      begun = buffer.error();
    else if (!attached_.begin(std::move(*buffer)))
      begun = is_taken(pid);
  }
  if (begun)
    return members_.push_back(std::move(*prepared));
  if (prepared)
    (void)(*prepared)->files.restore(); // the error that led here is the one to print
  if (!process_is_gone(pid))
    attached_.tell(fmt::format("nophook: {} is left out: {}",
                               pid == pid_ ? "what the process executes" : "a child",
                               printable(begun.error().text())));
}

void Members::begin_living(int32_t pid) {
  for (const InstrumentedProcess &child : with_children(instrumented_processes(), pid))
    if (child.pid != pid && !process_is_gone(child.pid))
      take(child.pid, prepare_member(child.pid, wanted_.trust, request_, say));
}

void Members::take_prepared() {
  const int32_t pid = std::exchange(under_way_, 0);
  if (!pid)
    return;
  Prepared prepared = prepared_.get();
  // Where it has executed something else in the meantime, the next look finds that.
  if (prepared || ProcessStatus::of(pid).environment == environment_)
    take(pid, std::move(prepared));
}

// It may have been recorded: what it executes begins without our settings.
void Members::leave_old_program(int32_t pid) {
  if (pid == pid_)
    files_.are_gone();
  for (const auto &member : members_)
    if (member->pid == pid)
      member->files.are_gone();
}

void Members::look() {
  for (int32_t pid : executed_.look_if_due())
    if (wanted_.children || pid == pid_)
      waiting_.push_back(pid);
    else
      missed_.add(pid, MissedProcesses::Why::kExecuted);
  if (under_way_ && prepared_.wait_for(0s) == std::future_status::ready)
    take_prepared();
  // Most programs that are executed have no sites.
  while (!under_way_ && !waiting_.empty()) {
    const int32_t pid = waiting_.front();
    waiting_.pop_front();
    if (!process_has_sites(pid))
      continue;
    leave_old_program(pid);
    under_way_ = pid;
    environment_ = ProcessStatus::of(pid).environment;
    prepared_ = std::async(std::launch::async, [this, pid] {
      return prepare_member(pid, wanted_.trust, request_, say);
    });
  }
}

void Members::end() {
  take_prepared();
  for (const std::string &line : missed_.lines())
    say("nophook: " + line);
}

Result<> Members::restore() {
  Result<> first;
  for (const auto &member : members_) {
    Result<> one = process_is_gone(member->pid) ? Result<>() : member->files.restore();
    if (first && !one)
      first = one;
  }
  return first;
}

std::vector<int32_t> Members::pids() const {
  std::vector<int32_t> pids = invited_;
  for (const auto &member : members_)
    pids.push_back(member->pid);
  return pids;
}

// `*recorded`: the processes that have been.
Result<int> attach(int32_t pid, const TraceRequest &asked, const Wanted &wanted,
                   std::vector<int32_t> *recorded) {
  auto process = free_process(pid, wanted.trust);
  NOPHOOK_TRY(process);
  auto old = OldRecording::keep(asked.output);
  NOPHOOK_TRY(old);
  auto writer = RecordingWriter::create(asked.output, asked.pack);
  NOPHOOK_TRY(writer);
  if (asked.limits.bytes)
    writer->limit(asked.limits.bytes);
  Json about = describe(asked, command_line(pid));
  about.add("attached", pid);
  begin_recording(*writer, std::move(about));

  TracedNames names;
  if (names_functions(asked))
    names = names_of_process(pid);
  const TraceRequest request = translated(names, asked);
  RestoredFiles files(std::move(process->client), pid, std::move(process->lock));
  // From here on an interrupt must not end us before the settings are restored.
  FileDescriptor signals = take_signals({SIGINT, SIGTERM, SIGHUP, SIGQUIT});
  files.hurry_at(signals.get());
  Result<> ready = set_up(files, request, say);
  if (!ready)
    ready = with_absences(ready.error(), names, asked.filters);
  // The process's user may put another folder in this one's place at any time: it is held from here
  // on, and all paths begin with its descriptor.
  const std::string found = process->tree->buffer("");
  const auto folder = CheckedFolder::of(found);
  if (!folder) {
    (void)files.restore(); // the error that led here is the one to print
    return folder.error();
  }
  const std::string path = folder->entry(name_in_folder(found));
  auto buffer = ready ? SharedBuffer::open(path) : Result<SharedBuffer>(ready.error());
  FollowedProcesses followed(path, *folder);
  Attached attached(pid, followed, *writer, request.limits, std::move(signals));
  if (!buffer)
    ready = buffer.error();
  else if (!attached.begin(std::move(*buffer)))
    ready = is_taken(pid);
  else
    ready =
        followed.begin((sets_tracing_on(request) ? "" : " tracing_on=1") + settings_of(request));
  if (!ready) {
    // The error that led here is the one to print, and if the process is stopped, what comes of it.
    if (Result<> restored = files.restore(); !restored && files.is_silent())
      say("nophook: " + printable(restored.error().text()));
    return ready.error();
  }
  files.hurry_at(-1);
  old->is_replaced();
  Members members(pid, wanted, request, files, followed, attached);
  if (wanted.children)
    members.begin_living(pid);
  say(fmt::format("nophook: recording {} ({}){}; Ctrl-C ends it", pid, command_text(pid),
                  members.count() ? " and " + counted(members.count(), "child", "children") : ""));
  attached.record([&] { members.look(); });
  followed.end();
  members.end();
  attached.finish();
  Result<> restored = restore(files, pid, followed);
  if (Result<> others = members.restore(); restored && !others)
    restored = others;
  std::ranges::copy(members.pids(), std::back_inserter(*recorded));
  attached.finish_with_names(kept_names(asked));
  if (writer->failure())
    return *writer->failure();
  NOPHOOK_TRY(restored);
  return kExitOk;
}

} // namespace

Result<int> attach_verb(const Arguments &arguments) {
  TraceRequest request;
  int32_t pid = 0;
  bool detaches = false, trusts = false;
  Wanted wanted;
  VerbOptions verb = {
      "nophook attach",
      "Records a running process.",
      {{"PID", &pid, "the process; it loads the runtime if it has none", {.required = true}},
       {"--children", &wanted.children,
        "and the children that it has already, and programs that children execute"},
       {"--detach", &detaches, "leave the runtime without thread and socket at the end"},
       {"--trust-seccomp", &trusts,
        "go on although the process may be killed by its seccomp filter"},
       dir_option()}};
  add_options(&verb, &request);
  NOPHOOK_TRY(refuse_number_of_process("attach", arguments));
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  NOPHOOK_TRY(complete_request("attach", &request));
  NOPHOOK_TRY(check_values("attach", request, ToWhom::kRunningProcess));
  wanted.trust = trusts ? TrustedFilter::kYes : TrustedFilter::kNo;
  std::vector<int32_t> recorded;
  auto status = attach(pid, request, wanted, &recorded);
  recorded.push_back(pid);
  for (int32_t one : recorded) {
    Result<> slept = detaches && !process_is_gone(one) ? put_to_sleep(one) : Result<>();
    if (status && !slept)
      status = slept.error();
  }
  return status;
}

} // namespace nophook
