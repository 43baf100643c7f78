// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at the mapped files of all processes in /proc, once at each file.

#include "process/attach/instrumented.h"

#include "foundation/identity.h"
#include "process/attach/process_files.h"
#include "process/control/client.h"
#include "process/control/served.h"
#include "read/symbols/site_table.h"

#include <nophook/runtime.h>
#include <nophook/site.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <map>

namespace nophook {
namespace {

// The kind of a file, kept because hundreds of processes may have loaded the same one.
struct FileKind {
  bool has_sites = false, has_runtime = false;
};
using KnownFiles = std::map<std::pair<std::string, uint64_t>, FileKind>; // by path and inode

FileKind kind_of(int32_t pid, const MappedRange &range) {
  const FileDescriptor file = open_mapped(pid, range);
  if (!file.valid())
    return {};
  const auto image = ElfImage::open(fmt::format("/proc/self/fd/{}", file.get()));
  if (!image)
    return {};
  return {has_sites(*image), image->note(NOPHOOK_NOTE_NAME, NOPHOOK_RUNTIME_NOTE_TYPE).has_value()};
}

FileKind kind_of_process(int32_t pid, KnownFiles *known) {
  FileKind all;
  for (const MappedRange &range : ProcessMap::read(pid).code()) {
    if (!range.inode)
      continue;
    auto [place, is_new] = known->try_emplace({range.name, range.inode});
    if (is_new)
      place->second = kind_of(pid, range);
    all.has_sites |= place->second.has_sites;
    all.has_runtime |= place->second.has_runtime;
  }
  return all;
}

} // namespace

const char *name_of(InstrumentedProcess::State state) {
  switch (state) {
  case InstrumentedProcess::State::kServes:
    return "serves";
  case InstrumentedProcess::State::kDormant:
    return "dormant";
  case InstrumentedProcess::State::kNoRuntime:
    break;
  }
  return "no runtime";
}

std::vector<InstrumentedProcess> instrumented_processes() {
  using State = InstrumentedProcess::State;
  std::vector<InstrumentedProcess> all;
  const auto listening = listening_processes();
  KnownFiles known;
  std::error_code error;
  for (std::filesystem::directory_iterator at("/proc", error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    int32_t pid = 0;
    const auto [rest, wrong] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (wrong != std::errc() || rest != name.data() + name.size())
      continue;
    const FileKind kind = kind_of_process(pid, &known);
    if (!kind.has_sites)
      continue;
    InstrumentedProcess process = {pid, parent_of(pid), State::kNoRuntime, socket_folder(pid)};
    if (!process.folder.empty() || std::ranges::binary_search(listening, pid))
      process.state = State::kServes;
    else if (kind.has_runtime)
      process.state = State::kDormant;
    if (!process_is_gone(pid))
      all.push_back(std::move(process));
  }
  std::ranges::sort(all, {}, &InstrumentedProcess::pid);
  return all;
}

std::vector<InstrumentedProcess> with_children(const std::vector<InstrumentedProcess> &all,
                                               int32_t pid) {
  std::vector<InstrumentedProcess> chosen;
  for (const InstrumentedProcess &process : all)
    for (int32_t at = process.pid; at > 1; at = parent_of(at))
      if (at == pid) {
        chosen.push_back(process);
        break;
      }
  return chosen;
}

} // namespace nophook
