// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses /proc/PID/stat and the lists of children of each thread.

#include "process/launch/process_status.h"

#include "foundation/file.h"

#include <algorithm>
#include <charconv>
#include <dirent.h>
#include <fmt/format.h>
#include <memory>

namespace nophook {

ProcessStatus ProcessStatus::of(int32_t pid) {
  constexpr int kParent = 4, kBegun = 22, kEnvironment = 50; // fields of proc_pid_stat(5)
  const std::string text = read_small_file(fmt::format("/proc/{}/stat", pid)); // "pid (comm) S ..."
  ProcessStatus status;
  size_t at = text.rfind(')') + 1;
  if (!at || at + 1 >= text.size())
    return status;
  status.state = text[at + 1];
  for (int field = 3; field <= kEnvironment; field++) {
    const char *from = text.data() + at + 1, *end = text.data() + text.size();
    if (field == kParent)
      std::from_chars(from, end, status.parent);
    else if (field == kBegun)
      std::from_chars(from, end, status.begun);
    else if (field == kEnvironment)
      std::from_chars(from, end, status.environment);
    if ((at = text.find(' ', at + 1)) == std::string::npos)
      break;
  }
  return status;
}

std::vector<int32_t> numbers_in(const std::string &path) {
  std::vector<int32_t> numbers;
  std::unique_ptr<DIR, int (*)(DIR *)> folder(::opendir(path.c_str()), ::closedir);
  while (dirent *entry = folder ? ::readdir(folder.get()) : nullptr) {
    std::string_view name = entry->d_name;
    int32_t number;
    auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size())
      numbers.push_back(number);
  }
  return numbers;
}

std::vector<int32_t> children_of(int32_t pid) {
  std::vector<int32_t> all;
  const std::string tasks = fmt::format("/proc/{}/task", pid);
  for (int32_t tid : numbers_in(tasks)) {
    const std::string children = read_small_file(fmt::format("{}/{}/children", tasks, tid));
    const char *at = children.data(), *end = at + children.size();
    for (int32_t child; std::from_chars(at, end, child).ec == std::errc();) {
      all.push_back(child);
      at = std::find(at, end, ' ');
      if (at == end || ++at == end)
        break;
    }
  }
  return all;
}

} // namespace nophook
