// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/live_patches.h"

#include "base/file.h"
#include "base/identity.h"
#include "base/json.h"
#include "base/output.h"
#include "control/client.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace nophook {

namespace {

struct PendingThread {
  int32_t tid;
  std::string name, waits; // empty: the kernel does not tell
};

struct LivePatch {
  std::string name;
  bool is_enabled, is_in_transition, replaces;
  uint64_t order;
  std::vector<PendingThread> pending;
};

std::string first_line(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

// "running", "stopped", or what it sleeps in. The kernel shows the function to those who may trace
// the process.
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

std::vector<PendingThread> threads_of(int32_t pid, const std::string &text) {
  std::vector<PendingThread> threads;
  if (text.empty())
    return threads;
  const auto folders = thread_folders(pid);
  const char *at = text.data(), *end = at + text.size();
  for (int32_t tid; at < end; at++) { // behind each number is one character
    auto [behind, error] = std::from_chars(at, end, tid);
    if (error != std::errc())
      break;
    PendingThread thread = {tid, {}, {}};
    if (const auto found = folders.find(tid); found != folders.end()) {
      thread.name = first_line(read_small_file(found->second + "comm"));
      thread.waits = state_of_thread(found->second);
    }
    threads.push_back(thread);
    at = behind;
  }
  return threads;
}

// 0: read. -ENOENT, -ENODEV: the patch has gone in the meantime.
int64_t read_patch(ControlClient &client, int32_t pid, const std::string &name, LivePatch *patch) {
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

Result<std::vector<LivePatch>> read_patches(int32_t pid) {
  auto client = ControlClient::connect(pid);
  NOPHOOK_TRY(client);
  auto folders = client->list("livepatch");
  NOPHOOK_TRY(folders);
  std::vector<LivePatch> patches;
  for (const ControlClient::Entry &folder : *folders) {
    LivePatch patch;
    const int64_t result = read_patch(*client, pid, folder.name, &patch);
    if (result == 0)
      patches.push_back(patch);
    else if (result != -ENOENT && result != -ENODEV)
      return error_at("livepatch/" + folder.name, std::strerror((int)-result));
  }
  std::ranges::sort(patches, {}, &LivePatch::order);
  return patches;
}

const char *state_of(const LivePatch &patch) {
  if (patch.is_in_transition)
    return patch.is_enabled ? "enabling" : "disabling";
  return patch.is_enabled ? "enabled" : "disabled";
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
  for (const PendingThread &thread : threads)
    list.push(Json{{"tid", thread.tid},
                   {"name", thread.name.empty() ? Json() : Json(printable(thread.name))},
                   {"state", thread.waits.empty() ? Json() : Json(printable(thread.waits))}});
  return list;
}

std::string or_dash(const std::string &text) {
  return text.empty() ? "-" : printable(text);
}

Result<> print_patches(int32_t pid, bool json, bool with_threads) {
  auto patches = read_patches(pid);
  NOPHOOK_TRY(patches);
  Output output;
  if (patches->empty() && !json)
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
    output.line("{:>5}  {:<9}  {:<7}  {}", patch.order, state_of(patch),
                patch.replaces ? "yes" : "no", printable(patch.name));
    if (!with_threads || patch.pending.empty())
      continue;
    output.line("       waits for {} {}:", patch.pending.size(),
                patch.pending.size() == 1 ? "thread" : "threads");
    for (const PendingThread &thread : patch.pending)
      output.line("       {:>8}  {:<15}  {}", thread.tid, or_dash(thread.name),
                  or_dash(thread.waits));
  }
  return output.flush();
}

} // namespace

Result<> list_live_patches(int32_t pid, bool json) {
  return print_patches(pid, json, false);
}

Result<> show_live_patches(int32_t pid, bool json) {
  return print_patches(pid, json, true);
}

} // namespace nophook
