// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/live_patches.h"

#include "foundation/file.h"
#include "foundation/identity.h"
#include "foundation/json.h"
#include "foundation/output.h"
#include "patch/thread_looks.h"
#include "process/control/client.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>

namespace nophook {

namespace {

constexpr std::string_view kFiber = "fiber ";

std::string first_line(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

// The state of a thread: "running", "stopped", or the function in which it sleeps. The kernel shows
// the function to users that may trace the process.
std::string state_of_thread(const std::string &folder) {
  const std::string stat = read_small_file(folder + "stat");
  const size_t name_end = stat.rfind(") ");
  if (name_end == std::string::npos || name_end + 2 >= stat.size())
    return {};
  const char state = stat[name_end + 2];
  if (state == 'R')
    return "running";
  if (state == 'T' || state == 't')
    return "stopped";
  const std::string where = first_line(read_small_file(folder + "wchan"));
  return where.empty() || where == "0" ? "sleeping" : "sleeping in " + where;
}

} // namespace

std::vector<PendingThread> threads_of(int32_t pid, const std::string &text) {
  std::vector<PendingThread> threads;
  if (text.empty())
    return threads;
  const auto folders = thread_folders(pid);
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    PendingThread thread = {0, {}, {}};
    if (line.starts_with(kFiber)) {
      const size_t end = std::min(line.find(' ', kFiber.size()), line.size());
      thread.name = line.substr(kFiber.size(), end - kFiber.size());
      thread.waits = line.substr(std::min(end + 1, line.size()));
    } else if (std::from_chars(line.data(), line.data() + line.size(), thread.tid).ec !=
                   std::errc() ||
               thread.tid <= 0) {
      break;
    } else if (const auto found = folders.find(thread.tid); found != folders.end()) {
      thread.name = first_line(read_small_file(found->second + "comm"));
      thread.waits = state_of_thread(found->second);
    }
    threads.push_back(thread);
  }
  return threads;
}

int64_t read_live_patch(ControlClient &client, int32_t pid, const std::string &name,
                        LivePatch *patch) {
  const std::string folder = "livepatch/" + name + "/";
  std::string enabled, transition, replace, order, pending;
  const std::pair<const char *, std::string *> files[] = {{"enabled", &enabled},
                                                          {"transition", &transition},
                                                          {"replace", &replace},
                                                          {"stack_order", &order},
                                                          {"pending_threads", &pending}};
  for (const auto &[file, text] : files)
    if (int64_t result = client.read(folder + file, text); result < 0)
      return result;
  *patch = {
      name, first_line(enabled) == "1", first_line(transition) == "1", first_line(replace) == "1",
      0,    threads_of(pid, pending)};
  std::from_chars(order.data(), order.data() + order.size(), patch->order);
  return 0;
}

// Reads lines of three fields each, with tabs between. A runtime without the file loads no
// libraries.
Result<std::vector<LoadedPatch>> read_loaded_patches(ControlClient &client) {
  std::string text;
  const int64_t result = client.read("livepatch/libraries", &text);
  if (result < 0 && result != -ENOENT)
    return error_at("livepatch/libraries", std::strerror((int)-result));
  std::vector<LoadedPatch> patches;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (second != std::string_view::npos)
      patches.push_back({std::string(line.substr(0, first)),
                         std::string(line.substr(first + 1, second - first - 1)),
                         std::string(line.substr(second + 1))});
  }
  return patches;
}

namespace {

Result<std::vector<LivePatch>> read_patches(ControlClient &client, int32_t pid) {
  auto folders = client.list("livepatch");
  NOPHOOK_TRY(folders);
  std::vector<LivePatch> patches;
  for (const ControlClient::Entry &folder : *folders) {
    if (!folder.is_folder)
      continue;
    LivePatch patch;
    const int64_t result = read_live_patch(client, pid, folder.name, &patch);
    if (result == 0)
      patches.push_back(patch);
    else if (result != -ENOENT && result != -ENODEV)
      return error_at("livepatch/" + folder.name, std::strerror((int)-result));
  }
  std::ranges::sort(patches, {}, &LivePatch::order);
  return patches;
}

std::string or_dash(const std::string &text) {
  return text.empty() ? "-" : printable(text);
}

// Whether a patch is not enabled, though its library is loaded.
bool is_idle(const LoadedPatch &patch) {
  return patch.state == "disabled" || patch.state == "forced";
}

} // namespace

const char *LivePatch::state() const {
  if (is_in_transition)
    return is_enabled ? "enabling" : "disabling";
  return is_enabled ? "enabled" : "disabled";
}

Json json_of(const LivePatch &patch) {
  return {{"name", printable(patch.name)},
          {"enabled", patch.is_enabled},
          {"transition", patch.is_in_transition},
          {"replace", patch.replaces},
          {"stack_order", patch.order}};
}

Json json_of(const std::vector<PendingThread> &threads) {
  Json list = Json::list();
  for (const PendingThread &thread : threads) {
    const Json state = thread.waits.empty() ? Json() : Json(printable(thread.waits));
    if (!thread.tid) {
      list.push({{"fiber", printable(thread.name)}, {"state", state}});
      continue;
    }
    Json row = {{"tid", thread.tid},
                {"name", thread.name.empty() ? Json() : Json(printable(thread.name))},
                {"state", state}};
    if (!thread.look.empty())
      row.add("look", thread.look);
    list.push(row);
  }
  return list;
}

void add_threads(Output &output, const std::vector<PendingThread> &threads) {
  output.line("       waits for {}:", count_text(threads));
  for (const PendingThread &thread : threads)
    output.line("       {:>8}  {:<15}  {}{}{}",
                thread.tid ? std::to_string(thread.tid) : std::string("fiber"),
                or_dash(thread.name), or_dash(thread.waits), thread.look.empty() ? "" : "; ",
                thread.look);
}

std::string count_text(const std::vector<PendingThread> &threads) {
  const auto fibers = (size_t)std::ranges::count(threads, 0, &PendingThread::tid),
             others = threads.size() - fibers;
  std::string text;
  if (others || !fibers)
    text = fmt::format("{} thread{}", others, others == 1 ? "" : "s");
  if (fibers)
    text += fmt::format("{}{} fiber{}", others ? " and " : "", fibers, fibers == 1 ? "" : "s");
  return text;
}

namespace {

Result<> print_patches(int32_t pid, bool json, bool with_threads, bool stops) {
  auto client = ControlClient::connect(pid);
  NOPHOOK_TRY(client);
  ThreadLooks looks(*client, pid);
  if (stops)
    NOPHOOK_TRY(looks.look());
  auto patches = read_patches(*client, pid);
  NOPHOOK_TRY(patches);
  for (LivePatch &patch : *patches)
    looks.explain(&patch.pending);
  auto loaded = read_loaded_patches(*client);
  NOPHOOK_TRY(loaded);
  std::erase_if(*loaded, [](const LoadedPatch &patch) { return !is_idle(patch); });
  Output output;
  for (const LoadedPatch &patch : *loaded)
    if (json)
      output.line("{}", Json{{"name", printable(patch.name)},
                             {"enabled", false},
                             {"transition", false},
                             {"forced", patch.state == "forced"},
                             {"library", printable(patch.path)}}
                            .text());
  if (patches->empty() && loaded->empty() && !json)
    output.line("no live patch");
  else if (!json)
    output.line("{:>5}  {:<9}  {:<7}  {}", "ORDER", "STATE", "REPLACE", "NAME");
  for (const LivePatch &patch : *patches) {
    if (json) {
      Json line = json_of(patch);
      if (with_threads)
        line.add("pending", json_of(patch.pending));
      output.line("{}", line.text());
      continue;
    }
    output.line("{:>5}  {:<9}  {:<7}  {}", patch.order, patch.state(),
                patch.replaces ? "yes" : "no", printable(patch.name));
    if (with_threads && !patch.pending.empty())
      add_threads(output, patch.pending);
  }
  for (const LoadedPatch &patch : *loaded)
    if (!json)
      output.line("{:>5}  {:<9}  {:<7}  {}", "-", patch.state, "-", printable(patch.name));
  return output.flush();
}

} // namespace

Result<> list_live_patches(int32_t pid, bool json) {
  return print_patches(pid, json, false, false);
}

Result<> show_live_patches(int32_t pid, bool json, bool stops) {
  return print_patches(pid, json, true, stops);
}

} // namespace nophook
