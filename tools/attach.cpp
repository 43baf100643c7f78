// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook attach: records a running process. A process that does not serve its control tree is made
// to (process/attach/serve_process.h).
//
// It is `record` without the start. The process gets the settings for the time of the recording,
// and its old ones afterwards, however the recording ends. The recording has the calls from now on,
// of that process and of children that it makes from now on: those of fork, and programs that serve
// as it does.

#include "foundation/counted.h"
#include "foundation/identity.h"
#include "foundation/json.h"
#include "foundation/process.h"
#include "process/attach/members.h"
#include "process/drain/dir_option.h"
#include "process/launch/check_request.h"
#include "process/launch/old_recording.h"
#include "process/launch/typed_filters.h"
#include "process/recorder/recorder.h"
#include "process/recorder/recording_frame.h"
#include "verbs.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace nophook {

namespace {

constexpr std::chrono::seconds kPatience(3); // with children, at the end

// The process's end, and signals that end the recording.
class AttachedProcess : public RecorderHook {
public:
  // `signals`: a signalfd.
  AttachedProcess(int32_t pid, Recorder &recorder, int signals)
      : pid_(pid), recorder_(recorder), signals_(signals) {}

  int descriptor() const override { return signals_; }
  void step() override {
    if (int number = next_signal())
      recorder_.end(fmt::format("on SIG{}", sigabbrev_np(number)));
  }
  void look() override {
    if (process_is_gone(pid_))
      recorder_.end("because the process ended");
  }
  bool wants_end() override { return next_signal() != 0; }

private:
  int next_signal() const {
    signalfd_siginfo signal;
    return ::read(signals_, &signal, sizeof signal) == sizeof signal ? (int)signal.ssi_signo : 0;
  }

  const int32_t pid_;
  Recorder &recorder_;
  const int signals_;
};

// The process has its settings back, and its children that serve have them, too. (Others have none
// to give back: they write no more events.)
Result<> restore(RestoredFiles &files, int32_t pid, const FollowedProcesses &followed) {
  for (int32_t child : followed.children())
    if (auto client = ControlClient::connect(child, kPatience))
      // A child that ends in the meantime has nothing to restore.
      (void)files.restore(*client);
  return process_is_gone(pid) ? Result<>() : files.restore();
}

// The last events; says why the recording has ended.
void finish(int32_t pid, Recorder &recorder, const RecordingWriter &writer) {
  const bool is_gone = process_is_gone(pid);
  const uint32_t living = recorder.finish();
  if (writer.failure())
    return;
  std::string rest;
  if (is_gone && living)
    rest = fmt::format(", {} still running: recorded up to here",
                       counted(living, "process is", "processes are"));
  recorder.say(fmt::format("nophook: recording of {} has ended {}{}", pid, recorder.why(), rest));
}

// `*recorded`: the processes that have been.
Result<int> attach(int32_t pid, const TraceRequest &asked, const WantedMembers &wanted,
                   std::vector<int32_t> *recorded) {
  auto process = free_process(pid, wanted.trust);
  NOPHOOK_TRY(process);
  auto old = OldRecording::keep(asked.output);
  NOPHOOK_TRY(old);
  auto writer = RecordingWriter::create(asked.output, asked.pack);
  NOPHOOK_TRY(writer);
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
  Result<> ready = set_up(files, request, say_line);
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
  Recorder recorder(followed, *writer, request.limits);
  AttachedProcess attached(pid, recorder, signals.get());
  if (!buffer)
    ready = buffer.error();
  else if (!recorder.drain().begin_anew(std::move(*buffer), followed.session()))
    ready = is_taken(pid);
  else
    ready =
        followed.begin((sets_tracing_on(request) ? "" : " tracing_on=1") + settings_of(request));
  if (!ready) {
    // The error that led here is the one to print, and if the process is stopped, what comes of it.
    if (Result<> restored = files.restore(); !restored && files.is_silent())
      say_line("nophook: " + printable(restored.error().text()));
    return ready.error();
  }
  files.hurry_at(-1);
  old->is_replaced();
  Members members(pid, wanted, request, files, followed, recorder);
  if (wanted.children)
    members.begin_living();
  recorder.say(
      fmt::format("nophook: recording {} ({}){}; Ctrl-C ends it", pid, command_text(pid),
                  members.count() ? " and " + counted(members.count(), "child", "children") : ""));
  recorder.add(attached);
  recorder.add(members);
  recorder.record();
  followed.end();
  members.end();
  finish(pid, recorder, *writer);
  Result<> restored = restore(files, pid, followed);
  if (Result<> others = members.restore(); restored && !others)
    restored = others;
  std::ranges::copy(members.pids(), std::back_inserter(*recorded));
  if (!writer->failure())
    recorder.report(kept_names(asked), attached);
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
  WantedMembers wanted;
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
