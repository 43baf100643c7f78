// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens a file of events for reading: a text made at once, or a pipe that waits for events.

#include "process/control/event_file.h"

#include "process/drain/buffer_folder.h"
#include "process/drain/clocks.h"
#include "process/drain/recover.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace nophook {

namespace {

enum class Kind { kNone, kTrace, kPipe, kRaw, kStats, kSnapshot, kClock, kOfProcess };

constexpr struct {
  const char *name;
  Kind kind;
  bool can_write;
} kPerCpu[] = {
    {"buffer_size_kb", Kind::kOfProcess, true},
    {"snapshot", Kind::kSnapshot, false},
    {"stats", Kind::kStats, false},
    {"trace", Kind::kTrace, false},
    {"trace_pipe", Kind::kPipe, false},
    {"trace_pipe_raw", Kind::kRaw, false},
};

struct Named {
  Kind kind = Kind::kNone;
  int cpu = kAllCpus;
  std::string name; // name in per_cpu/cpuN
  std::string instance;
};

constexpr struct {
  const char *name;
  Kind kind;
} kNames[] = {
    {"snapshot", Kind::kSnapshot},
    {"trace", Kind::kTrace},
    {"trace_clock", Kind::kClock},
    {"trace_pipe", Kind::kPipe},
};

Named named(const std::string &whole) {
  TreePath parts = split_path(whole);
  std::string_view path = parts.rest;
  Named found;
  found.instance = parts.instance;
  for (const auto &file : kNames)
    if (path == file.name)
      found.kind = file.kind;
  constexpr std::string_view kFolder = "per_cpu/cpu";
  if (!path.starts_with(kFolder))
    return found;
  path.remove_prefix(kFolder.size());
  auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), found.cpu);
  path.remove_prefix((size_t)(end - path.data()));
  if (error != std::errc() || found.cpu < 0 || found.cpu >= sysconf(_SC_NPROCESSORS_CONF) ||
      path.empty())
    return found;
  for (const auto &file : kPerCpu)
    if (path.substr(1) == file.name) {
      found.kind = file.kind;
      found.name = file.name;
    }
  return found;
}

int64_t give(const std::string &whole, uint64_t offset, size_t bytes, std::string *text) {
  *text = offset < whole.size() ? whole.substr(offset, bytes) : "";
  return (int64_t)text->size();
}

// A text that does not change, or an empty one.
class TextFile : public TreeFile {
public:
  explicit TextFile(std::string text) : text_(std::move(text)) {}
  int64_t read(uint64_t offset, size_t bytes, bool, std::string *text) override {
    return give(text_, offset, bytes, text);
  }
  int64_t write(std::string_view text) override { return (int64_t)text.size(); }

private:
  const std::string text_;
};

// The bytes written to `trace` are ignored: opening it with > has already cleared it.
class TraceReader : public TreeFile {
public:
  explicit TraceReader(std::unique_ptr<TraceFile> file) : file_(std::move(file)) {}
  int64_t read(uint64_t offset, size_t bytes, bool, std::string *text) override {
    std::lock_guard guard(mutex_);
    *text = file_->read(offset, bytes);
    return (int64_t)text->size();
  }
  int64_t write(std::string_view text) override { return (int64_t)text.size(); }

private:
  std::mutex mutex_;
  std::unique_ptr<TraceFile> file_;
};

class PipeFile : public TreeFile {
public:
  PipeFile(ControlTree &tree, const Named &file)
      : tree_(tree), kind_(file.kind), cpu_(file.cpu), instance_(file.instance),
        options_(tree.trace_options(file.instance)) {}

  // Gives a page or whole lines at a time; a reader that asks for less gets the rest next.
  int64_t read(uint64_t, size_t bytes, bool may_wait, std::string *text) override {
    if (rest_.empty()) {
      if (int64_t result = find_pipe(); result < 0)
        return result;
      auto got = kind_ == Kind::kRaw ? pipe_->read_page((uint32_t)cpu_, !may_wait)
                                     : pipe_->read(cpu_, bytes, options_);
      if (!got)
        return -EBUSY;
      rest_ = std::move(*got);
      if (rest_.empty())
        pipe_ = nullptr;
    }
    *text = rest_.substr(0, bytes);
    rest_.erase(0, text->size());
    return text->empty() ? -EAGAIN : (int64_t)text->size();
  }
  int64_t write(std::string_view) override { return -EBADF; }

  bool is_ready() override {
    if (!rest_.empty())
      return true;
    auto pipe = tree_.pipe(instance_);
    if (!pipe || !*pipe)
      return false;
    return kind_ == Kind::kRaw ? (*pipe)->has_page((uint32_t)cpu_)
                               : (*pipe)->has_lines(cpu_, options_);
  }

private:
  using Clock = std::chrono::steady_clock;

  // Finding the buffer takes a look at all buffers of all processes. It changes after some
  // settings, but seldom. So the look is only made for an empty pipe, and now and then.
  int64_t find_pipe() {
    constexpr std::chrono::milliseconds kLook(100);
    if (pipe_ && Clock::now() - found_ < kLook)
      return 0;
    auto pipe = tree_.pipe(instance_);
    if (!pipe || !*pipe)
      return pipe ? -EAGAIN : -EIO;
    pipe_ = *pipe;
    found_ = Clock::now();
    return 0;
  }

  ControlTree &tree_;
  const Kind kind_;
  const int cpu_;
  const std::string instance_;
  const TraceOptions options_;
  std::shared_ptr<EventPipe> pipe_; // as of found_; null: the pipe was empty
  Clock::time_point found_;
  std::string rest_;
};

int64_t open_trace(const std::string &path, const TraceOptions &options, int cpu, int flags,
                   std::unique_ptr<TreeFile> *file) {
  if (path.empty()) {
    *file = std::make_unique<TextFile>(empty_trace());
    return 0;
  }
  bool clears = flags & O_TRUNC && (flags & O_ACCMODE) != O_RDONLY;
  auto buffer = clears ? SharedBuffer::open(path) : SharedBuffer::open_copy(path);
  if (!buffer)
    return -EIO;
  if (clears)
    buffer->clear();
  if ((flags & O_ACCMODE) == O_WRONLY) {
    *file = std::make_unique<TextFile>("");
    return 0;
  }
  auto trace = TraceFile::open(*buffer, options, cpu);
  if (!trace)
    return -EIO;
  *file = std::make_unique<TraceReader>(std::move(*trace));
  return 0;
}

// The newest copy that the process has set aside, or the process's own text if there is none.
int64_t open_snapshot(ControlTree &tree, const Named &named, std::unique_ptr<TreeFile> *file) {
  std::string newest;
  uint32_t number = 0;
  for (const FoundBuffer &found : find_buffers(buffer_folders_of(tree.pid())))
    if (found.is_of(tree.pid()) && found.life == Life::kAlive && found.instance == named.instance &&
        found.snapshot > number) {
      number = found.snapshot;
      newest = found.path;
    }
  if (number)
    return open_trace(newest, tree.trace_options(named.instance), named.cpu, O_RDONLY, file);
  std::string text;
  int64_t result = tree.read(TreePath{named.instance, ""}.in_instance("snapshot"), &text);
  if (result >= 0)
    *file = std::make_unique<TextFile>(text);
  return std::min<int64_t>(result, 0);
}

// Readers get no ticks: a stamp of the counter is shown as time of CLOCK_MONOTONIC. trace-cmd would
// show ticks as such.
int64_t open_clock(ControlTree &tree, const std::string &path, std::unique_ptr<TreeFile> *file) {
  constexpr std::string_view kTicks = "[x86-tsc]", kTime = " mono ";
  std::string text;
  int64_t result = tree.read(path, &text);
  size_t ticks = text.find(kTicks), time = text.find(kTime);
  if (ticks != std::string::npos && time < ticks) {
    text.replace(ticks, kTicks.size(), "x86-tsc");
    text.replace(time, kTime.size(), " [mono] ");
  }
  if (result >= 0)
    *file = std::make_unique<TextFile>(text);
  return std::min<int64_t>(result, 0);
}

// A read shows x86-tsc as mono. So a client that writes `mono` back changes nothing.
class ClockFile : public TreeFile {
public:
  ClockFile(ControlTree &tree, std::string path, std::unique_ptr<TreeFile> file)
      : tree_(tree), path_(std::move(path)), file_(std::move(file)) {}
  int64_t read(uint64_t offset, size_t bytes, bool may_wait, std::string *text) override {
    return file_->read(offset, bytes, may_wait, text);
  }
  int64_t write(std::string_view text) override {
    std::string now;
    bool is_time = text.substr(0, text.find_last_not_of(" \n") + 1) == "mono";
    if (is_time && tree_.read(path_, &now) >= 0 && now.find("[x86-tsc]") != std::string::npos)
      return (int64_t)text.size();
    return file_->write(text);
  }
  int64_t flush() override { return file_->flush(); }

private:
  ControlTree &tree_;
  const std::string path_;
  std::unique_ptr<TreeFile> file_;
};

// The counts of the kernel's per_cpu/cpuN/stats. Losses are known only for all CPUs together, and
// the first CPU shows them.
std::string stats(const std::string &path, int cpu) {
  EntryCounts here;
  uint64_t overrun = 0, dropped = 0;
  if (!path.empty())
    if (auto buffer = SharedBuffer::open_copy(path)) {
      LiveEvents events(*buffer, LiveEvents::Use::kLook);
      EntryCounts all = events.entries(kAllCpus);
      here = events.entries(cpu);
      (buffer->overwrites() ? overrun : dropped) = cpu == 0 ? all.written - all.held : 0;
    }
  uint64_t now_us = read_clocks().monotonic_ns / 1000;
  return fmt::format("entries: {}\noverrun: {}\ncommit overrun: 0\nbytes: {}\n"
                     "oldest event ts: {:>5}.{:06}\nnow ts: {:>5}.{:06}\n"
                     "dropped events: {}\nread events: 0\n",
                     here.held, overrun, here.held * 8, 0, 0, now_us / 1'000'000,
                     now_us % 1'000'000, dropped);
}

} // namespace

std::vector<ControlTree::Entry> event_entries(const std::string &folder) {
  std::vector<ControlTree::Entry> entries;
  long cpus = sysconf(_SC_NPROCESSORS_CONF);
  TreePath path = split_path(folder);
  if (path.rest.empty()) {
    entries = {{"per_cpu", true, true, false},
               {"snapshot", false, true, true},
               {"trace", false, true, true},
               {"trace_pipe", false, true, false}};
    return entries;
  }
  if (path.rest == "per_cpu")
    for (long cpu = 0; cpu < cpus; cpu++)
      entries.push_back({fmt::format("cpu{}", cpu), true, true, false});
  if (named(folder + "/trace").cpu != kAllCpus && named(folder + "/trace").kind == Kind::kTrace)
    for (const auto &file : kPerCpu)
      entries.push_back({file.name, false, true, file.can_write});
  return entries;
}

bool is_event_file(const std::string &path, int flags) {
  Named file = named(path);
  if ((file.kind == Kind::kSnapshot || file.kind == Kind::kClock) && file.cpu == kAllCpus)
    return (flags & O_ACCMODE) == O_RDONLY;
  return file.kind != Kind::kNone && file.kind != Kind::kOfProcess;
}

std::string process_path(const std::string &path) {
  Named file = named(path);
  return file.kind == Kind::kOfProcess ? TreePath{file.instance, ""}.in_instance(file.name) : path;
}

void watch_clock(ControlTree &tree, const std::string &path, std::unique_ptr<TreeFile> *file) {
  if (named(path).kind == Kind::kClock)
    *file = std::make_unique<ClockFile>(tree, path, std::move(*file));
}

int64_t open_event_file(ControlTree &tree, const std::string &path, int flags,
                        std::unique_ptr<TreeFile> *file) {
  Named found = named(path);
  bool is_writable = found.kind == Kind::kTrace && found.cpu == kAllCpus;
  if ((flags & O_ACCMODE) != O_RDONLY && !is_writable)
    return -EACCES;
  switch (found.kind) {
  case Kind::kTrace:
    return open_trace(tree.buffer(found.instance), tree.trace_options(found.instance), found.cpu,
                      flags, file);
  case Kind::kSnapshot:
    return open_snapshot(tree, found, file);
  case Kind::kClock:
    return open_clock(tree, path, file);
  case Kind::kStats:
    *file = std::make_unique<TextFile>(stats(tree.buffer(found.instance), found.cpu));
    return 0;
  default:
    *file = std::make_unique<PipeFile>(tree, found);
    return 0;
  }
}

} // namespace nophook
