// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares numbers, namespaces and start times from /proc.

#include "foundation/identity.h"

#include "foundation/file.h"
#include "foundation/process_user.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <vector>

namespace nophook {

namespace {

constexpr std::chrono::milliseconds kLookAgain(20);
constexpr uint64_t kFirstNamespace = 0xeffffffc; // PROC_PID_INIT_INO: it sees all processes

bool is_no_number(int32_t pid) {
  return ::kill(pid, 0) != 0 && errno == ESRCH;
}

template <class Number> Number number_in(std::string_view text) {
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

uint64_t namespace_of(const std::string &process) {
  struct stat about;
  return ::stat(fmt::format("/proc/{}/ns/pid", process).c_str(), &about) == 0 ? about.st_ino : 0;
}

uint64_t own_namespace() {
  static const uint64_t own = namespace_of("self");
  return own;
}

// Start time of a process: field 22 of its stat, in ticks since the machine was started; 0:
// unknown.
uint64_t start_of(int32_t pid) {
  std::string stat = read_small_file(fmt::format("/proc/{}/stat", pid));
  size_t at = stat.rfind(')');
  for (int field = 2; at != std::string::npos && field < 22; field++)
    at = stat.find(' ', at + 1);
  return at == std::string::npos ? 0 : number_in<uint64_t>(std::string_view(stat).substr(at + 1));
}

// The number of a process or thread in its own namespace, from a line "NSpid:\t4711\t5". 0: it is
// in ours, or not there.
int32_t number_there(const std::string &status_path) {
  std::string status = read_small_file(status_path);
  size_t line = status.find("\nNSpid:\t");
  if (line == std::string::npos)
    return 0;
  size_t begin = line + 8, end = status.find('\n', begin);
  size_t last = status.rfind('\t', end);
  return last < begin ? 0 : number_in<int32_t>(std::string_view(status).substr(last + 1));
}

// The names in a folder of /proc that are numbers.
std::vector<int32_t> numbers_in(const std::string &folder) {
  std::vector<int32_t> numbers;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error))
    if (auto number = number_in<int32_t>(at->path().filename().string()))
      numbers.push_back(number);
  return numbers;
}

// All processes, listed again every 20 ms: a container may have forked thousands.
struct Processes {
  std::chrono::steady_clock::time_point looked;
  std::multimap<uint64_t, int32_t> by_start;
  std::set<uint64_t> namespaces; // namespaces of which this /proc shows all processes, always

  void look() {
    for (int32_t number : numbers_in("/proc")) {
      by_start.emplace(start_of(number), number);
      if (uint64_t space = namespace_of(std::to_string(number)))
        namespaces.insert(space);
    }
    looked = std::chrono::steady_clock::now();
  }
};

// The newest list, which does not change. Threads of a mounted tree ask for it at the same time.
std::shared_ptr<const Processes> processes() {
  static std::mutex mutex;
  static std::shared_ptr<const Processes> newest;
  std::lock_guard guard(mutex);
  if (!newest || std::chrono::steady_clock::now() - newest->looked >= kLookAgain) {
    auto next = std::make_shared<Processes>();
    if (newest)
      next->namespaces = newest->namespaces;
    next->look();
    newest = std::move(next);
  }
  return newest;
}

// Whether a process of that namespace that is not in /proc is nowhere. The first namespace has all
// processes; of a container's /proc we know it once we have seen one of that namespace there. Where
// other users' processes are hidden, nothing is known.
bool sees_all_of(uint64_t space) {
  bool sees_others = ::access("/proc/1/stat", R_OK) == 0;
  return sees_others &&
         (own_namespace() == kFirstNamespace || processes()->namespaces.contains(space));
}

// Whether a process has a file mapped. Some file systems (btrfs) have another device in this list.
bool maps_file(int32_t pid, const std::string &maps, dev_t device, ino_t inode) {
  for (size_t at = 0, end; at < maps.size(); at = end + 1) {
    end = std::min(maps.find('\n', at), maps.size());
    const std::string line = maps.substr(at, end - at);
    unsigned major = 0, minor = 0;
    unsigned long number = 0;
    if (std::sscanf(line.c_str(), "%*s %*s %*s %x:%x %lu", &major, &minor, &number) != 3 ||
        number != inode)
      continue;
    struct stat about;
    const std::string file =
        fmt::format("/proc/{}/map_files/{}", pid, line.substr(0, line.find(' ')));
    if (::stat(file.c_str(), &about) == 0 ? about.st_dev == device && about.st_ino == inode
                                          : makedev(major, minor) == device)
      return true;
  }
  return false;
}

} // namespace

int32_t own_number() {
  return ::getpid();
}

void signal_child(int32_t pid, int signal) {
  ::kill(pid, signal);
}

int32_t parent_of(int32_t pid) {
  const std::string text = read_small_file(fmt::format("/proc/{}/stat", pid));
  const size_t name = text.rfind(") "); // the state and the parent follow
  int32_t parent = 0;
  if (name != std::string::npos && text.size() > name + 4)
    // On an error it stays 0.
    (void)std::from_chars(&text[name + 4], text.data() + text.size(), parent);
  return parent;
}

std::string status_field(int32_t pid, std::string_view name) {
  const std::string status = "\n" + read_small_file(fmt::format("/proc/{}/status", pid));
  const std::string key = fmt::format("\n{}:", name);
  const size_t at = status.find(key);
  if (at == std::string::npos)
    return "";
  const size_t from = std::min(status.find_first_not_of(" \t", at + key.size()), status.size());
  return status.substr(from, status.find('\n', from) - from);
}

bool process_is_gone(int32_t pid) {
  if (is_no_number(pid))
    return true;
  std::string folder = fmt::format("/proc/{}", pid);
  std::string stat = read_small_file(folder + "/stat"); // "pid (comm) S ..."
  size_t state = stat.rfind(')');
  if (state == std::string::npos || state + 2 >= stat.size())
    return is_no_number(pid);
  if (stat[state + 2] != 'Z' && stat[state + 2] != 'X')
    return false;
  // A main thread that has ended before the others is a zombie in a living process.
  return numbers_in(folder + "/task").size() <= 1;
}

// Finds the process. Its number there limits the candidates, and the namespace, which not every
// user may read, identifies it.
int32_t number_here(const OwnName &name) {
  if (!name.pid_namespace || name.pid_namespace == own_namespace())
    return process_is_gone(name.number) ? 0 : name.number;
  const auto all = processes();
  for (auto [start, number] : all->by_start)
    if (namespace_of(std::to_string(number)) == name.pid_namespace &&
        number_there(fmt::format("/proc/{}/status", number)) == name.number)
      return number;
  return 0;
}

bool is_gone(const OwnName &name) {
  if (!name.pid_namespace || name.pid_namespace == own_namespace())
    return process_is_gone(name.number);
  return !number_here(name) && sees_all_of(name.pid_namespace);
}

bool is_named(int32_t pid, const OwnName &name) {
  std::string process = std::to_string(pid);
  int32_t there = number_there(fmt::format("/proc/{}/status", process));
  uint64_t space = namespace_of(process); // 0: it may not be read
  return (there ? there : pid) == name.number &&
         (!name.pid_namespace || !space || space == name.pid_namespace);
}

Owner::Owner(const nophook_buffer &header, int file)
    : pid_(header.pid), start_ticks_(header.start_ticks), namespace_(header.pid_namespace),
      made_ns_(header.start_ns),
      is_old_(header.header_bytes <= offsetof(nophook_buffer, pid_namespace)) {
  if (is_old_)
    namespace_ = own_namespace();
  if (struct stat about; ::fstat(file, &about) == 0) {
    user_ = about.st_uid;
    device_ = about.st_dev;
    inode_ = about.st_ino;
  }
}

// The process is one of the file's user, or has the file mapped. Where its map cannot be read, a
// file of root's own is no forgery.
bool Owner::may_have_written(int32_t number) const {
  if (::geteuid() != 0 || process_user(number) == user_)
    return true;
  const std::string maps = read_small_file(fmt::format("/proc/{}/maps", number));
  return maps.empty() ? user_ == 0 : maps_file(number, maps, device_, inode_);
}

// Whether the process with that number here is the owner.
bool Owner::is_it(int32_t number, bool is_elsewhere) const {
  constexpr uint64_t kSlackNs = 1'000'000'000; // the kernel counts from the boot in hundredths
  uint64_t start = start_of(number);
  if (is_old_) // the start is not known, but it was before the buffer's
    return start * (1'000'000'000 / (uint64_t)sysconf(_SC_CLK_TCK)) <= made_ns_ + kSlackNs;
  if (!is_elsewhere)
    return !start || !start_ticks_ || start == start_ticks_;
  std::string name = std::to_string(number);
  uint64_t space = namespace_of(name); // 0: it may not be read
  return start && start == start_ticks_ && (space == namespace_ || !space) &&
         number_there(fmt::format("/proc/{}/status", name)) == pid_;
}

// Finds the owner's number here. In another namespace, by a look at all processes.
bool Owner::find() {
  if (here_ || !namespace_)
    return here_;
  if (namespace_ == own_namespace()) {
    if (!process_is_gone(pid_) && is_it(pid_, false) && may_have_written(pid_))
      here_ = pid_;
    return here_;
  }
  const auto all = processes();
  auto [begin, end] = all->by_start.equal_range(start_ticks_);
  for (auto at = begin; at != end; ++at)
    if (is_it(at->second, true) && may_have_written(at->second)) {
      here_ = at->second;
      find_threads();
      return true;
    }
  return false;
}

Life Owner::life() {
  if (is_proven_gone_)
    return Life::kGone;
  bool was_found = here_;
  bool is_ours = namespace_ && namespace_ == own_namespace();
  if (!find()) {
    is_proven_gone_ = is_ours || (namespace_ && sees_all_of(namespace_));
    return is_proven_gone_ ? Life::kGone : Life::kUnknown;
  }
  if (!was_found)
    return Life::kAlive;
  is_proven_gone_ = process_is_gone(here_) || !is_it(here_, !is_ours);
  return is_proven_gone_ ? Life::kGone : Life::kAlive;
}

int32_t Owner::number_here() {
  return life() == Life::kAlive ? here_ : 0;
}

std::unordered_map<int32_t, std::string> thread_folders(int32_t pid) {
  std::unordered_map<int32_t, std::string> folders;
  const std::string tasks = fmt::format("/proc/{}/task", pid);
  for (int32_t number : numbers_in(tasks)) {
    const std::string folder = fmt::format("{}/{}/", tasks, number);
    const int32_t there = number_there(folder + "status"); // 0: it has only one number
    folders[there ? there : number] = folder;
  }
  return folders;
}

bool Owner::had_number_here(int32_t pid) const {
  bool is_known = namespace_ && namespace_ != own_namespace();
  return is_known ? here_ == pid : pid_ == pid;
}

bool Owner::is_same(const Owner &other) const {
  return pid_ == other.pid_ && namespace_ == other.namespace_;
}

// Finds the numbers that the threads of a process in another namespace have here. Threads that have
// ended stay in the list.
void Owner::find_threads() {
  auto now = std::chrono::steady_clock::now();
  if (now - threads_found_ < kLookAgain)
    return;
  threads_found_ = now;
  std::string folder = fmt::format("/proc/{}/task", here_);
  for (int32_t number : numbers_in(folder))
    if (int32_t there = number_there(fmt::format("{}/{}/status", folder, number)))
      threads_[there] = number;
}

std::string Owner::thread_folder(int32_t tid) {
  const int32_t process = number_here();
  if (!process)
    return {};
  auto folder = [process](int32_t thread) {
    return fmt::format("/proc/{}/task/{}/", process, thread);
  };
  if (namespace_ == own_namespace())
    return folder(tid);
  auto known = threads_.find(tid);
  if (known == threads_.end() || number_there(folder(known->second) + "status") != tid) {
    find_threads();
    known = threads_.find(tid);
  }
  return known == threads_.end() ? "" : folder(known->second);
}

// The thread of a process that has, or had, our namespace's number is gone if that process is.
bool Owner::is_thread_gone(int32_t tid) {
  auto is_gone = [](int32_t process, int32_t thread) {
    return ::syscall(SYS_tgkill, process, thread, 0) != 0 && errno == ESRCH;
  };
  if (namespace_ && namespace_ == own_namespace())
    return is_gone(pid_, tid);
  if (!find())
    return life() == Life::kGone;
  auto known = threads_.find(tid);
  if (known != threads_.end() && !is_gone(here_, known->second))
    return false;
  int32_t before = known == threads_.end() ? 0 : known->second;
  find_threads(); // the number may be another thread's by now
  return before && threads_[tid] == before && is_gone(here_, before);
}

} // namespace nophook
