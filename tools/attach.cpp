// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook attach: records a process that runs already and serves its control tree (NOPHOOK=serve).
//
// It is `record` without the start: the process gets the settings for as long as the recording
// lasts, and has those from before when it ends, however it ends. What is recorded is what is
// called from now on, of that process; its children are not followed.

#include "base/process.h"
#include "control/tree.h"
#include "drain/clocks.h"
#include "drain/drain.h"
#include "launch/live_line.h"
#include "launch/recording_frame.h"
#include "launch/restored_files.h"
#include "launch/trace_request.h"
#include "verbs.h"

#include <csignal>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace nophook {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kShortSleep = 1ms, kLongSleep = 10ms;
constexpr Clock::duration kLookAround = 20ms, kClockEvery = 1s;

void say(const std::string &line) {
  std::string text = line + "\n";
  (void)!write(STDERR_FILENO, text.data(), text.size());
}

std::string joined(const std::vector<std::string> &words) {
  return fmt::format("{}", fmt::join(words, " "));
}

// The words of a list with commas: files of the tree want white space.
std::string spaced(std::string text) {
  std::ranges::replace(text, ',', ' ');
  return text;
}

// All that was asked for, the tracer last.
Result<> set_up(RestoredFiles &files, const TraceRequest &request) {
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
  return files.write("current_tracer", request.tracer);
}

class Attached {
public:
  Attached(ProcessDrain &process, RecordingWriter &writer, DrainTotals &totals,
           const Limits &limits)
      : process_(process), writer_(writer), totals_(totals), limits_(limits),
        signals_(take_signals({SIGINT, SIGTERM, SIGHUP, SIGQUIT})) {}

  // Until it is to end; says why.
  std::string record();

private:
  bool is_over(Clock::time_point now);

  ProcessDrain &process_;
  RecordingWriter &writer_;
  DrainTotals &totals_;
  const Limits limits_;
  FileDescriptor signals_;
  LiveLine live_{STDERR_FILENO};
  const Clock::time_point start_ = Clock::now();
  std::string why_;
};

bool Attached::is_over(Clock::time_point now) {
  signalfd_siginfo signal;
  if (::read(signals_.get(), &signal, sizeof signal) == sizeof signal)
    why_ = fmt::format("on SIG{}", sigabbrev_np((int)signal.ssi_signo));
  else if (writer_.is_full())
    why_ = fmt::format("at {:.1f} MiB (--max-size)", (double)writer_.bytes() / (1 << 20));
  else if (limits_.duration.count() && now - start_ >= limits_.duration)
    why_ = fmt::format("after {:g} s (--duration)", (double)limits_.duration.count() / 1000);
  else if (process_is_gone(process_.pid()))
    why_ = "with its end";
  return !why_.empty();
}

std::string Attached::record() {
  Clock::time_point last_look, last_clock = start_;
  pollfd ready = {signals_.get(), POLLIN, 0};
  std::chrono::milliseconds pause = kShortSleep;
  while (!writer_.failure()) {
    ::poll(&ready, 1, (int)pause.count());
    pause =
        process_.drain() ? kShortSleep : std::min<std::chrono::milliseconds>(pause * 2, kLongSleep);
    Clock::time_point now = Clock::now();
    if (now - last_look < kLookAround && !ready.revents)
      continue;
    last_look = now;
    if (is_over(now))
      break;
    process_.read_maps();
    process_.reclaim_threads();
    process_.read_log();
    live_.update(totals_.events, totals_.lost + process_.lost_now(), writer_.bytes());
    if (now - last_clock >= kClockEvery) {
      write_clock(writer_, read_clocks());
      last_clock = now;
    }
  }
  live_.erase();
  return why_;
}

void finish(ProcessDrain &process, RecordingWriter &writer, const DrainTotals &totals,
            const std::string &why) {
  write_clock(writer, read_clocks());
  nlohmann::ordered_json end = totals.json();
  if (writer.failure())
    end["failure"] = printable(writer.failure()->problem);
  else
    end["stopped"] = why;
  writer.finish(end.dump());
  if (writer.failure())
    return;
  say(fmt::format("nophook: recording of {} has ended {}", process.pid(), why));
  say("nophook: " + totals_text(totals, writer));
}

Result<int> attach(int32_t pid, const TraceRequest &request) {
  auto tree = ControlTree::connect(pid);
  NOPHOOK_TRY(tree);
  auto client = ControlClient::connect(pid);
  NOPHOOK_TRY(client);
  auto writer = RecordingWriter::create(request.output, request.pack);
  NOPHOOK_TRY(writer);
  if (request.limits.bytes)
    writer->limit(request.limits.bytes);
  nlohmann::ordered_json about = describe(request, command_line(pid));
  about["attached"] = pid;
  begin_recording(*writer, std::move(about));

  RestoredFiles files(std::move(*client));
  Result<> ready = set_up(files, request);
  if (!ready) {
    (void)files.restore();
    return ready.error();
  }
  DrainTotals totals;
  auto buffer = SharedBuffer::open((*tree)->buffer(""));
  if (!buffer) {
    (void)files.restore();
    return buffer.error();
  }
  ProcessDrain process(std::move(*buffer), *writer, totals);
  if (!process.begin_anew()) {
    (void)files.restore();
    return error_at(fmt::format("{}", pid), "another recorder reads this process's events");
  }
  say(fmt::format("nophook: recording {} ({}); Ctrl-C ends it", pid, command_text(pid)));
  std::string why = Attached(process, *writer, totals, request.limits).record();
  bool is_gone = process_is_gone(pid);
  Result<> restored = is_gone ? Result<>() : files.restore();
  process.drain();
  process.finish(is_gone);
  finish(process, *writer, totals, why);
  if (writer->failure())
    return *writer->failure();
  NOPHOOK_TRY(restored);
  return kExitOk;
}

} // namespace

Result<int> attach_verb(const Arguments &arguments) {
  CLI::App app("Records a process that runs already and serves its control tree.",
               "nophook attach");
  TraceRequest request;
  int32_t pid = 0;
  app.add_option("PID", pid, "the process; it serves (NOPHOOK=serve)")->required();
  add_options(app, &request);
  auto go_on = parse(app, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  NOPHOOK_TRY(settle("attach", &request));
  return attach(pid, request);
}

} // namespace nophook
