// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the list of processes, or the children of known ones, whichever is due.

#include "process/launch/descendants.h"

#include "machine/own_cpu.h"
#include "process/launch/process_status.h"

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace nophook {

namespace {

using namespace std::chrono_literals;

constexpr auto kEvery = 100ms;      // without a hint
constexpr auto kUnwatched = 50ms;   // the program's first moments
constexpr int kEagerLooks = 3;      // after one: it is still being executed
constexpr auto kEagerPause = 300us; // between these
constexpr int kShare = 100;         // CPU time for looks is one part in this many
constexpr auto kMostCredit = 20ms;  // many looks in a row

} // namespace

Descendants::Descendants(const BufferFolder &folder)
    : folder_(folder.path()), marker_(folder.marker()), credit_(kMostCredit) {
  for (int32_t pid : numbers_in("/proc"))
    known_[pid] = {};
}

void Descendants::begin(int32_t program) {
  program_ = program;
  known_[program].kind = Kind::kFollowed;
  eager_looks_ = kEagerLooks;
}

void Descendants::start_watch() {
  has_tried_watch_ = true;
  FileDescriptor watch(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!watch.valid() || inotify_add_watch(watch.get(), kOwnLoader, IN_OPEN) < 0)
    return; // another libc, or too many watches: it goes without
  watch_ = std::move(watch);
  eager_looks_ = kEagerLooks; // for programs executed in between
}

void Descendants::take_hint() {
  char events[4096];
  while (::read(watch_.get(), events, sizeof events) > 0) {
  }
  eager_looks_ = kEagerLooks;
}

std::chrono::nanoseconds Descendants::most_pause() const {
  return eager_looks_ ? kEagerPause : RecorderHook::most_pause();
}

Descendants::Environment Descendants::environment_of(int32_t pid) const {
  std::string text;
  FileDescriptor file(::open(fmt::format("/proc/{}/environ", pid).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid())
    return errno == EACCES ? Environment::kHidden : Environment::kOther;
  char part[4096];
  for (ssize_t n; (n = ::read(file.get(), part, sizeof part)) > 0;)
    text.append(part, (size_t)n);
  if (maps_buffer(pid))
    return Environment::kOurs;
  if (text.find(marker_) == std::string::npos)
    return Environment::kOther;
  // A program that has the runtime itself is started without LD_PRELOAD.
  const size_t preload = ('\0' + text).find(std::string("\0LD_PRELOAD=", 12));
  const bool is_replaced =
      preload != std::string::npos &&
      std::string_view(text.c_str() + preload).find("libnophook") == std::string::npos;
  return is_replaced ? Environment::kNoPreload : Environment::kOurs;
}

// Whether the process is recorded: a server may have written its title over its environment
// (setproctitle) before the first look. execve() leaves no mapping, so this is not the buffer of an
// earlier program.
bool Descendants::maps_buffer(int32_t pid) const {
  return read_small_file(fmt::format("/proc/{}/maps", pid)).find(folder_ + '/') !=
         std::string::npos;
}

// Judges a process that executes another program than at the last look.
void Descendants::judge(int32_t pid, const ProcessStatus &status, Known *known) {
  Environment environment = environment_of(pid);
  if (environment == Environment::kOther && !status.environment)
    return; // in the middle of execve(): the next look will show it
  using Why = MissedProcesses::Why;
  const bool is_followed = environment <= Environment::kNoPreload;
  known->kind = is_followed ? Kind::kFollowed : Kind::kMissed;
  known->environment = status.environment;
  known->begun = status.begun;
  missed_.add(pid, environment == Environment::kOurs        ? Why::kNone
                   : environment == Environment::kNoPreload ? Why::kPreload
                   : environment == Environment::kOther     ? Why::kEnvironment
                                                            : Why::kHidden);
}

Descendants::Known Descendants::known_from(int32_t pid, const ProcessStatus &status) {
  Known known;
  auto parent = known_.find(status.parent);
  if (parent != known_.end() && parent->second.kind != Kind::kStranger) {
    known = parent->second; // as long as it has executed nothing
    known.begun = status.begun;
    if (known.environment != status.environment)
      judge(pid, status, &known);
  } else if (status.environment && environment_of(pid) <= Environment::kNoPreload) {
    judge(pid, status, &known);
  }
  return known;
}

void Descendants::look_at(int32_t pid) {
  auto at = known_.find(pid);
  if (at != known_.end() && at->second.kind == Kind::kStranger) {
    at->second.look = looks_;
    return; // and remains a stranger
  }
  const ProcessStatus status = ProcessStatus::of(pid);
  if (at != known_.end() && at->second.begun && at->second.begun != status.begun) {
    known_.erase(at); // another process with its number
    at = known_.end();
  }
  if (at == known_.end()) {
    Known known = known_from(pid, status);
    if (known.kind == Kind::kStranger && !status.environment && status.is_alive())
      return; // in the middle of execve(), another user's, or the kernel's: asked again
    at = known_.emplace(pid, known).first;
  } else if (status.environment && status.environment != at->second.environment) {
    judge(pid, status, &at->second);
  }
  at->second.look = looks_;
  if (at->second.kind == Kind::kFollowed && pid != program_ && status.is_alive())
    living_.push_back(pid);
}

void Descendants::look_at_all() {
  last_look_ = Clock::now();
  looks_++;
  living_.clear();
  for (int32_t pid : numbers_in("/proc")) // ascending: mostly, a parent comes before its children
    look_at(pid);
  std::erase_if(known_, [this](const auto &known) { return known.second.look != looks_; });
}

// Looks for the children of known processes, by the threads that have forked them.
void Descendants::look_for_children() {
  std::vector<int32_t> family;
  for (const auto &[pid, known] : known_)
    if (known.kind != Kind::kStranger)
      family.push_back(pid);
  for (size_t i = 0; i < family.size(); i++) {
    look_at(family[i]);
    for (int32_t child : children_of(family[i]))
      if (!known_.contains(child))
        family.push_back(child);
  }
}

void Descendants::step() {
  Clock::time_point now = Clock::now();
  bool is_due = now - last_look_ >= kEvery;
  credit_ = std::min<Clock::duration>(credit_ + (now - last_) / kShare, kMostCredit);
  last_ = now;
  const bool is_new = now - begun_ < kUnwatched;
  if (!is_new && !has_tried_watch_)
    start_watch();
  if (!is_due && !eager_looks_ && !is_new)
    return;
  if (eager_looks_)
    eager_looks_--;
  has_skipped_ |= credit_.count() <= 0;
  if (credit_.count() <= 0)
    return;
  is_due ? look_at_all() : look_for_children();
  credit_ -= Clock::now() - now;
}

} // namespace nophook
