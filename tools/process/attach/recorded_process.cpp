// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the process serve, locks its settings, and writes them through its control tree.

#include "process/attach/recorded_process.h"

#include "foundation/tracer_rows.h"
#include "process/drain/shared_buffer.h"
#include "process/recorder/waiting_line.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace nophook {

namespace {

std::string joined(const std::vector<std::string> &words) {
  return fmt::format("{}", fmt::join(words, " "));
}

// The words of a list with commas: files of the tree want white space.
std::string spaced(std::string text) {
  std::ranges::replace(text, ',', ' ');
  return text;
}

// A process that was paused, by `nophook stop` or otherwise, would be recorded without events.
Result<> switch_on(RestoredFiles &files, const TraceRequest &request, const Say &say) {
  auto was_on = files.read("tracing_on");
  NOPHOOK_TRY(was_on);
  if (*was_on != "0\n" || sets_tracing_on(request))
    return {};
  say("nophook: tracing was paused (tracing_on was 0); it is on during the recording");
  return files.write("tracing_on", "1");
}

// Checked before a setting is changed, because another recorder would miss calls by the change.
// This lock is not kept during the changes: some settings are refused while a recorder reads.
bool has_reader(const std::string &path) {
  auto buffer = SharedBuffer::open(path); // there may be no buffer yet
  return buffer && !buffer->lock();
}

} // namespace

bool sets_tracing_on(const TraceRequest &request) {
  return std::ranges::any_of(request.settings, [](const std::string &setting) {
    return setting.starts_with("tracing_on=");
  });
}

Error is_taken(int32_t pid) {
  return error_at(fmt::format("{}", pid), "another recorder reads this process's events");
}

Result<FreeProcess> free_process(int32_t pid, TrustedFilter trust) {
  // The reader shows in the files. Asking the process itself would take half a minute in vain, if
  // it is stopped or in a batch of the other command's.
  auto lock = SettingsLock::take(pid, [pid] {
    return has_reader(buffer_of_process(pid, "")) ? Result<>(is_taken(pid)) : Result<>();
  });
  NOPHOOK_TRY(lock);
  NOPHOOK_TRY(serve_process(pid, trust));
  const WaitingLine line(fmt::format("process {} to answer", pid));
  auto tree = ControlTree::connect(pid);
  NOPHOOK_TRY(tree);
  if (has_reader((*tree)->buffer("")))
    return is_taken(pid);
  auto client = ControlClient::connect(pid);
  NOPHOOK_TRY(client);
  return FreeProcess{std::move(*tree), std::move(*client), std::move(*lock)};
}

// Applies all settings of the request, the tracer last.
Result<> set_up(RestoredFiles &files, const TraceRequest &request, const Say &say) {
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
  NOPHOOK_TRY(switch_on(files, request, say));
  if (!is_profiler(request.tracer))
    return files.write("current_tracer", request.tracer);
  // Both kinds begin at 0 in this way: hits whenever it is set, profile only by the other file.
  NOPHOOK_TRY(files.write("current_tracer", "nop"));
  return request.tracer == "profile" ? files.write("function_profile_enabled", "1")
                                     : files.write("current_tracer", request.tracer);
}

Result<std::unique_ptr<Member>> prepare_member(int32_t pid, TrustedFilter trust,
                                               const TraceRequest &request, const Say &say) {
  auto process = free_process(pid, trust);
  NOPHOOK_TRY(process);
  const std::unique_ptr<ControlTree> tree = std::move(process->tree);
  auto member = std::make_unique<Member>(pid, std::move(process->client), std::move(process->lock));
  Result<> ready = set_up(member->files, request, say);
  member->buffer = tree->buffer("");
  if (ready)
    return member;
  (void)member->files.restore(); // the error that led here is the one to print
  return ready.error();
}

} // namespace nophook
