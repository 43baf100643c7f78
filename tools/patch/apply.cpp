// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/apply.h"

#include "foundation/file.h"
#include "foundation/output.h"
#include "patch/live_patches.h"
#include "patch/patch_file.h"
#include "patch/thread_looks.h"
#include "process/attach/serve_process.h"
#include "process/control/client.h"

#include <algorithm>
#include <fmt/format.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace nophook {

namespace {

using Clock = std::chrono::steady_clock;

bool runs_any(const std::vector<PendingThread> &threads) {
  return std::ranges::any_of(threads,
                             [](const PendingThread &thread) { return thread.waits == "running"; });
}

// A wait, and its output for the user: on standard error, the threads after a second and when they
// change; on a terminal, a status line in the meantime.
class Wait {
public:
  Wait(std::string name, const ChangeOptions &options)
      : name_(std::move(name)), limit_(options.timeout), stops_(options.stops),
        is_terminal_(::isatty(STDERR_FILENO)) {}
  ~Wait() { erase(); }
  Wait(const Wait &) = delete;
  Wait &operator=(const Wait &) = delete;

  bool is_over() const { return limit_ && Clock::now() - begin_ >= *limit_; }

  void pause(const char *what, const std::vector<PendingThread> &threads) {
    const auto now = Clock::now();
    if (is_terminal_)
      draw(what, threads);
    if (now - begin_ >= kSilence && is_news(threads)) {
      erase();
      Output output(STDERR_FILENO);
      output.line("{}: {}", printable(name_), what);
      add_threads(output, threads);
      if (!stops_ && runs_any(threads))
        output.line("(a thread that runs and ends no call is seen only if it is stopped for a "
                    "moment: --stop-threads)");
    }
    auto next = pause_;
    if (limit_)
      next = std::min<Clock::duration>(next, *limit_ - (now - begin_));
    std::this_thread::sleep_for(next);
    pause_ = std::min(pause_ * 2, kLongest);
  }

private:
  static constexpr Clock::duration kSilence = std::chrono::seconds(1),
                                   kLongest = std::chrono::milliseconds(50);

  bool is_news(const std::vector<PendingThread> &threads) {
    std::vector<std::string> names; // several threads may have one name
    for (const PendingThread &thread : threads)
      names.push_back(thread.tid ? std::to_string(thread.tid) : thread.name);
    std::ranges::sort(names);
    if (names.empty() || names == shown_)
      return false;
    shown_ = names;
    return true;
  }
  void draw(const char *what, const std::vector<PendingThread> &threads) {
    const auto seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    fmt::print(stderr, "\r\033[K{}: {}, {:.1f} s, waits for {}\r", printable(name_), what, seconds,
               count_text(threads));
    is_drawn_ = true;
  }
  void erase() {
    if (is_drawn_)
      fmt::print(stderr, "\r\033[K");
    is_drawn_ = false;
  }

  std::string name_;
  std::optional<std::chrono::milliseconds> limit_;
  bool stops_, is_terminal_, is_drawn_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::duration pause_ = std::chrono::milliseconds(1);
  std::vector<std::string> shown_;
};

// Prints the result of a verb: one line.
Result<> print_state(const std::string &name, const char *state,
                     const std::vector<PendingThread> &pending, bool json) {
  Output output;
  if (json) {
    output.line(
        "{}",
        Json{{"name", printable(name)}, {"state", state}, {"pending", json_of(pending)}}.text());
  } else {
    output.line("{}: {}", printable(name), state);
    if (!pending.empty())
      add_threads(output, pending);
  }
  return output.flush();
}

std::string seconds_text(const ChangeOptions &options) {
  return fmt::format("{:g} s", (double)options.timeout->count() / 1000);
}

Error timed_out(int32_t pid, const LivePatch &patch, const ChangeOptions &options) {
  const std::string name = printable(patch.name);
  return {"patch", name,
          fmt::format("after {} it is still {}: wait on (nophook patch status {}{}), turn it round "
                      "({}), or end it at once, whatever threads run (nophook set {} "
                      "livepatch/{}/force 1)",
                      seconds_text(options), patch.state(), pid,
                      !options.stops && runs_any(patch.pending)
                          ? " --stop-threads, which also sees threads that run and end no call"
                          : "",
                      patch.is_enabled
                          ? fmt::format("nophook patch revert {} {}", pid, name)
                          : fmt::format("nophook set {} livepatch/{}/enabled 1", pid, name),
                      pid, name),
          kExitTimeout};
}

bool is_gone(int64_t result) {
  return result == -ENOENT || result == -ENODEV;
}

// Waits until the patch is in no transition.
Result<int> finish(ControlClient &client, int32_t pid, const std::string &name, bool enabling,
                   const ChangeOptions &options) {
  Wait wait(name, options);
  ThreadLooks looks(client, pid);
  for (LivePatch patch = {};;) {
    int64_t result = read_live_patch(client, pid, name, &patch);
    if (options.stops && result == 0 && patch.is_in_transition) {
      NOPHOOK_TRY(looks.look());
      result = read_live_patch(client, pid, name, &patch);
    }
    if (result < 0 && !is_gone(result))
      return error_at("livepatch/" + name, std::strerror((int)-result));
    const bool is_there = result == 0, is_done = !is_there || !patch.is_in_transition;
    looks.explain(&patch.pending);
    if (!is_done && options.waits && !wait.is_over()) {
      wait.pause(patch.state(), patch.pending);
      continue;
    }
    if (is_done && is_there != enabling)
      return Error{"patch", printable(name),
                   enabling ? "it has been disabled in the meantime"
                            : "it has been enabled again in the meantime"};
    NOPHOOK_TRY(print_state(name, is_there ? patch.state() : "disabled",
                            is_done ? std::vector<PendingThread>() : patch.pending, options.json));
    if (!is_done && options.waits)
      return timed_out(pid, patch, options);
    return kExitOk;
  }
}

bool is_same_file(int32_t pid, const std::string &one, const std::string &other) {
  const std::string root = fmt::format("/proc/{}/root", pid);
  struct stat a, b;
  return one == other ||
         (::stat((root + one).c_str(), &a) == 0 && ::stat((root + other).c_str(), &b) == 0 &&
          a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

Result<LoadedPatch> find_loaded(ControlClient &client, const std::string &name) {
  auto loaded = read_loaded_patches(client);
  NOPHOOK_TRY(loaded);
  const auto found = std::ranges::find(*loaded, name, &LoadedPatch::name);
  if (found == loaded->end())
    return Error{"patch", printable(name),
                 "the process has no library with a live patch of this name "
                 "(nophook patch list shows those that it has)"};
  return *found;
}

Result<> check_name(const std::string &name) {
  if (name.empty() || name.find('/') != std::string::npos)
    return Error{"patch", printable(name),
                 "is no name of a live patch (nophook patch list shows them)", kExitUsage};
  return {};
}

} // namespace

Result<int> apply_patch(int32_t pid, const std::string &file, const ChangeOptions &options) {
  auto path = path_for_process(pid, file);
  NOPHOOK_TRY(path);
  NOPHOOK_TRY(serve_process(pid));
  auto client = ControlClient::connect(pid);
  NOPHOOK_TRY(client);
  Error why;
  if (client->write("livepatch/load", *path, false, &why) < 0)
    return Error{"patch", printable(file), why.problem};
  auto loaded = read_loaded_patches(*client);
  NOPHOOK_TRY(loaded);
  int status = kExitOk;
  for (const LoadedPatch &patch : *loaded)
    if (is_same_file(pid, patch.path, *path)) {
      auto done = finish(*client, pid, patch.name, true, options);
      NOPHOOK_TRY(done);
      status = std::max(status, *done);
    }
  return status;
}

Result<int> revert_patch(int32_t pid, const std::string &name, const ChangeOptions &options) {
  NOPHOOK_TRY(check_name(name));
  auto client = ControlClient::connect(pid);
  NOPHOOK_TRY(client);
  LivePatch patch;
  const int64_t result = read_live_patch(*client, pid, name, &patch);
  if (is_gone(result))
    return Error{"patch", printable(name),
                 "no live patch of this name is enabled (nophook patch list shows them)"};
  if (result < 0)
    return error_at("livepatch/" + name, std::strerror((int)-result));
  if (patch.is_enabled) {
    Error why;
    if (client->write("livepatch/" + name + "/enabled", "0", false, &why) < 0)
      return Error{"patch", printable(name), why.problem};
  }
  return finish(*client, pid, name, false, options);
}

Result<int> unload_patch(int32_t pid, const std::string &name, const ChangeOptions &options) {
  NOPHOOK_TRY(check_name(name));
  auto client = ControlClient::connect(pid);
  NOPHOOK_TRY(client);
  auto library = find_loaded(*client, name);
  NOPHOOK_TRY(library);
  Wait wait(name, options);
  ThreadLooks looks(*client, pid);
  Error why;
  int64_t result;
  while ((result = client->write("livepatch/unload", name, false, &why)) == -EBUSY) {
    std::string text;
    LivePatch patch;
    if (read_live_patch(*client, pid, name, &patch) < 0)
      patch = {};
    const int64_t read = client->read("livepatch/unload", &text);
    auto threads =
        patch.is_in_transition ? patch.pending : threads_of(pid, read < 0 ? std::string() : text);
    if (options.stops)
      NOPHOOK_TRY(looks.look());
    looks.explain(&threads);
    if (!wait.is_over()) {
      wait.pause(patch.is_in_transition ? patch.state() : "unloading", threads);
      continue;
    }
    NOPHOOK_TRY(print_state(name, patch.is_in_transition ? patch.state() : "disabled", threads,
                            options.json));
    return Error{"patch", printable(name),
                 fmt::format("after {} it is still loaded: {}", seconds_text(options), why.problem),
                 kExitTimeout};
  }
  if (result < 0)
    return Error{"patch", printable(name), why.problem};
  if (has_mapped(pid, library->path))
    return Error{"patch", printable(name),
                 fmt::format("the runtime has released {}, but the process still has it loaded (it "
                             "has opened it itself, or the library cannot be unloaded)",
                             printable(library->path))};
  NOPHOOK_TRY(print_state(name, "unloaded", {}, options.json));
  return kExitOk;
}

} // namespace nophook
