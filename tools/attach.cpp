// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook attach: records a running process. One that does not serve its control tree is made to
// (attach/serve_process.h).
//
// It is `record` without the start. The process gets the settings for the time of the recording,
// and its old ones afterwards, however the recording ends. The recording has the calls from now on,
// of that process and of children that it makes from now on: those of fork, and programs that serve
// as it does.

#include "attach/instrumented.h"
#include "attach/serve_process.h"
#include "base/counted.h"
#include "base/identity.h"
#include "base/json.h"
#include "base/process.h"
#include "base/tracer_rows.h"
#include "control/tree.h"
#include "drain/clocks.h"
#include "drain/dir_option.h"
#include "drain/drain.h"
#include "launch/check_request.h"
#include "launch/followed_processes.h"
#include "launch/live_line.h"
#include "launch/old_recording.h"
#include "launch/recording_frame.h"
#include "launch/restored_files.h"
#include "launch/trace_request.h"
#include "launch/typed_filters.h"
#include "verbs.h"

#include <csignal>
#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace nophook {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kShortSleep = 1ms, kLongSleep = 10ms;
constexpr Clock::duration kLookAround = 20ms, kClockEvery = 1s;
constexpr int kLooksForProcesses = 5; // every so many looks around: processes that are gone

void say(const std::string &line) {
  std::string text = line + "\n";
  // Where standard error is gone there is nowhere else to say it.
  (void)!write(STDERR_FILENO, text.data(), text.size());
}

std::string joined(const std::vector<std::string> &words) {
  return fmt::format("{}", fmt::join(words, " "));
}

bool sets_tracing_on(const TraceRequest &request) {
  return std::ranges::any_of(request.settings, [](const std::string &setting) {
    return setting.starts_with("tracing_on=");
  });
}

// The words of a list with commas: files of the tree want white space.
std::string spaced(std::string text) {
  std::ranges::replace(text, ',', ' ');
  return text;
}

// A process that was paused, by `nophook stop` or otherwise, would be recorded without events.
Result<> switch_on(RestoredFiles &files, const TraceRequest &request) {
  auto was_on = files.read("tracing_on");
  NOPHOOK_TRY(was_on);
  if (*was_on != "0\n" || sets_tracing_on(request))
    return {};
  say("nophook: tracing was paused (tracing_on was 0); it is on during the recording");
  return files.write("tracing_on", "1");
}

// All that was asked for, the tracer last.
Result<> set_up(RestoredFiles &files, const TraceRequest &request) {
  if (request.calls)
    NOPHOOK_TRY(files.write("calls", "1"));
  for (const std::string &setting : request.settings) {
    size_t equals = setting.find('=');
    NOPHOOK_TRY(files.write(setting.substr(0, equals), spaced(setting.substr(equals + 1))));
  }
  std::string options = spaced(trace_option_list(request));
  for (size_t at = 0, end; at < options.size(); at = end + 1) {
    end = std::min(options.find(' ', at), options.size());
    NOPHOOK_TRY(files.write("options/" + options.substr(at, end - at), "1"));
  }
  if (!request.filters.empty())
    NOPHOOK_TRY(files.write("set_ftrace_filter", joined(request.filters)));
  if (!request.notraces.empty())
    NOPHOOK_TRY(files.write("set_ftrace_notrace", joined(request.notraces)));
  NOPHOOK_TRY(switch_on(files, request));
  if (!is_profiler(request.tracer))
    return files.write("current_tracer", request.tracer);
  // Each begins at 0 in this way: hits whenever it is set, profile only by the other file.
  NOPHOOK_TRY(files.write("current_tracer", "nop"));
  return request.tracer == "profile" ? files.write("function_profile_enabled", "1")
                                     : files.write("current_tracer", request.tracer);
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

  // Until it is to end.
  void record();

  // Takes the remaining events, and reports.
  void finish();

private:
  void tell(const std::string &line) {
    live_.erase();
    say(line);
  }
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

void Attached::record() {
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
  say("nophook: " + totals_text(drain_.totals(), writer_));
}

// The process has its settings back, and its children that serve have them, too. (Others have none
// to give back: they write no more events.)
Result<> restore(RestoredFiles &files, int32_t pid, const FollowedProcesses &followed) {
  for (int32_t child : followed.children())
    if (auto client = ControlClient::connect(child))
      // A child that ends in the meantime has nothing to restore.
      (void)files.restore(*client);
  return process_is_gone(pid) ? Result<>() : files.restore();
}

// Checked before a setting is changed, because another recorder would miss calls by the change. The
// lock is not kept during the changes: some settings are refused while a recorder reads.
bool has_reader(const std::string &path) {
  auto buffer = SharedBuffer::open(path); // there may be none yet
  return buffer && !buffer->lock();
}

Error is_taken(int32_t pid) {
  return error_at(fmt::format("{}", pid), "another recorder reads this process's events");
}

// A process that serves, and whose events nobody reads.
struct FreeProcess {
  std::unique_ptr<ControlTree> tree;
  ControlClient client;
};

Result<FreeProcess> free_process(int32_t pid, TrustedFilter trust) {
  NOPHOOK_TRY(serve_process(pid, trust));
  auto tree = ControlTree::connect(pid);
  NOPHOOK_TRY(tree);
  if (has_reader((*tree)->buffer("")))
    return is_taken(pid);
  auto client = ControlClient::connect(pid);
  NOPHOOK_TRY(client);
  return FreeProcess{std::move(*tree), std::move(*client)};
}

// A child that was there before the recording (--children), with its own settings.
struct Member {
  Member(int32_t number, ControlClient client) : pid(number), files(std::move(client), number) {}

  int32_t pid;
  RestoredFiles files;
};

// The child begins to be recorded, as its parent was. Errors: why it is left out.
Result<> begin_child(int32_t pid, TrustedFilter trust, const TraceRequest &request,
                     FollowedProcesses &followed, Attached &attached,
                     std::vector<std::unique_ptr<Member>> *members) {
  auto process = free_process(pid, trust);
  NOPHOOK_TRY(process);
  auto member = std::make_unique<Member>(pid, std::move(process->client));
  Result<> ready = set_up(member->files, request);
  const std::string path = process->tree->buffer("");
  followed.know(path);
  auto buffer = ready ? SharedBuffer::open(path) : Result<SharedBuffer>(ready.error());
  if (!buffer)
    ready = buffer.error();
  else if (!attached.begin(std::move(*buffer)))
    ready = is_taken(pid);
  if (ready)
    members->push_back(std::move(member));
  else
    (void)member->files.restore(); // the error that led here is the one to print
  return ready;
}

void begin_children(int32_t pid, TrustedFilter trust, const TraceRequest &request,
                    FollowedProcesses &followed, Attached &attached,
                    std::vector<std::unique_ptr<Member>> *members) {
  for (const InstrumentedProcess &child : with_children(instrumented_processes(), pid)) {
    if (child.pid == pid || process_is_gone(child.pid))
      continue;
    if (Result<> begun = begin_child(child.pid, trust, request, followed, attached, members);
        !begun)
      say(fmt::format("nophook: a child is left out: {}", printable(begun.error().text())));
  }
}

struct Members {
  bool are_wanted = false; // --children
  TrustedFilter trust = TrustedFilter::kNo;
  std::vector<int32_t> pids;
};

Result<int> attach(int32_t pid, const TraceRequest &asked, Members *others) {
  auto process = free_process(pid, others->trust);
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
  RestoredFiles files(std::move(process->client), pid);
  // From here on an interrupt must not end us before the settings are restored.
  FileDescriptor signals = take_signals({SIGINT, SIGTERM, SIGHUP, SIGQUIT});
  Result<> ready = set_up(files, request);
  if (!ready)
    ready = with_absences(ready.error(), names, asked.filters);
  std::string path = process->tree->buffer("");
  auto buffer = ready ? SharedBuffer::open(path) : Result<SharedBuffer>(ready.error());
  FollowedProcesses followed(pid, path);
  Attached attached(pid, followed, *writer, request.limits, std::move(signals));
  if (!buffer)
    ready = buffer.error();
  else if (!attached.begin(std::move(*buffer)))
    ready = is_taken(pid);
  else
    ready =
        followed.begin((sets_tracing_on(request) ? "" : " tracing_on=1") + settings_of(request));
  if (!ready) {
    // The error that led here is the one to print.
    (void)files.restore();
    return ready.error();
  }
  old->is_replaced();
  std::vector<std::unique_ptr<Member>> members;
  if (others->are_wanted)
    begin_children(pid, others->trust, request, followed, attached, &members);
  say(fmt::format("nophook: recording {} ({}){}; Ctrl-C ends it", pid, command_text(pid),
                  members.empty() ? "" : " and " + counted(members.size(), "child", "children")));
  attached.record();
  followed.end();
  attached.finish();
  Result<> restored = restore(files, pid, followed);
  for (const auto &member : members) {
    Result<> one = process_is_gone(member->pid) ? Result<>() : member->files.restore();
    if (restored && !one)
      restored = one;
    others->pids.push_back(member->pid);
  }
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
  Members others;
  VerbOptions verb = {
      "nophook attach",
      "Records a running process.",
      {{"PID", &pid, "the process; it loads the runtime if it has none", {.required = true}},
       {"--children", &others.are_wanted, "and the children that it has already"},
       {"--detach", &detaches, "leave the runtime without thread and socket at the end"},
       {"--trust-seccomp", &trusts,
        "go on although the process may be killed by its seccomp filter"},
       dir_option()}};
  add_options(&verb, &request);
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  NOPHOOK_TRY(complete_request("attach", &request));
  NOPHOOK_TRY(check_values("attach", request, ToWhom::kRunningProcess));
  others.trust = trusts ? TrustedFilter::kYes : TrustedFilter::kNo;
  auto status = attach(pid, request, &others);
  others.pids.push_back(pid);
  for (int32_t one : others.pids) {
    Result<> slept = detaches && !process_is_gone(one) ? put_to_sleep(one) : Result<>();
    if (status && !slept)
      status = slept.error();
  }
  return status;
}

} // namespace nophook
