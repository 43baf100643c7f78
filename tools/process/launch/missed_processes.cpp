// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps each program open while the recording runs, and reads its sites at the end.

#include "process/launch/missed_processes.h"

#include "foundation/counted.h"
#include "process/launch/libraries.h"
#include "process/launch/program.h"
#include "read/symbols/site_table.h"

#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

namespace {

constexpr size_t kMostImages = 200; // descriptors; a build has some tens of programs
constexpr size_t kMostNames = 5;    // in one line

std::string file_name(int32_t pid) {
  char path[4096];
  ssize_t bytes = ::readlink(fmt::format("/proc/{}/exe", pid).c_str(), path, sizeof path);
  std::string name(path, bytes > 0 ? (size_t)bytes : 0);
  return name.substr(name.rfind('/') + 1);
}

std::string comm(int32_t pid) {
  std::string name = read_small_file(fmt::format("/proc/{}/comm", pid));
  return name.substr(0, name.find('\n'));
}

} // namespace

bool process_has_sites(int32_t pid) {
  auto image = ElfImage::open(fmt::format("/proc/{}/exe", pid));
  return image && (has_sites(*image) || library_has_sites(*image));
}

void MissedProcesses::add(int32_t pid, Why why) {
  Key key = {why, 0, 0, ""};
  std::string path = fmt::format("/proc/{}/exe", pid);
  struct stat st;
  if (why == Why::kHidden)
    key.name = comm(pid);
  else if (::stat(path.c_str(), &st) != 0)
    return; // it is gone
  else
    std::tie(key.device, key.inode) = std::pair<uint64_t, uint64_t>(st.st_dev, st.st_ino);
  auto at = images_.find(key);
  if (at == images_.end()) {
    if (images_.size() >= kMostImages)
      return;
    Image image;
    image.name = why == Why::kHidden ? key.name : file_name(pid);
    if (why != Why::kHidden)
      image.file.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    at = images_.emplace(std::move(key), std::move(image)).first;
  }
  at->second.pids.push_back(pid);
}

std::vector<std::string> MissedProcesses::lines() const {
  struct Line {
    std::set<int32_t> pids;
    std::string names;
  };
  std::map<Why, Line> lines;
  for (const auto &[key, missed] : images_) {
    if (key.why != Why::kHidden) {
      auto image = ElfImage::open(fmt::format("/proc/self/fd/{}", missed.file.get()));
      bool is_missed =
          image && (key.why == Why::kNone      ? has_sites(*image) && is_without_runtime(*image)
                    : key.why == Why::kPreload ? has_sites(*image) && needs_preload(*image)
                                               : has_sites(*image) || library_has_sites(*image));
      if (!is_missed)
        continue;
    }
    Line &line = lines[key.why];
    for (int32_t pid : missed.pids)
      if (line.pids.insert(pid).second && line.pids.size() <= kMostNames)
        line.names +=
            fmt::format("{}{} ({})", line.names.empty() ? "" : ", ", printable(missed.name), pid);
  }
  constexpr const char *kReasons[] = {"a static program without the runtime",
                                      "started without NOPHOOK and LD_PRELOAD in the environment",
                                      "executed while its parent was recorded (see --children)",
                                      "started with an LD_PRELOAD that libnophook.so is not in "
                                      "(write it in front of nophook: LD_PRELOAD=LIBRARY nophook "
                                      "record ...)",
                                      "set-user-ID, or another user's"};
  std::vector<std::string> texts;
  for (const auto &[why, line] : lines)
    texts.push_back(fmt::format(
        "{} not recorded: {}{}: {}", counted(line.pids.size(), "process was", "processes were"),
        line.names, line.pids.size() > kMostNames ? ", ..." : "", kReasons[(size_t)why]));
  return texts;
}

} // namespace nophook
