// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook view: a recording as a page in the browser: served by this command, or as one file to
// send to a colleague.

#include "foundation/derived_file.h"
#include "foundation/options.h"
#include "read/select/selection_options.h"
#include "show/view/http_server.h"
#include "show/view/page.h"
#include "show/view/viewed.h"
#include "verbs.h"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace nophook {

namespace {

constexpr std::chrono::milliseconds kLeftFor{4000}; // a page that is reloaded is back by then

// Starts the user's browser. False: there is no browser or no screen.
bool open_browser(const std::string &url) {
  const char *browser = std::getenv("BROWSER");
  if (!browser && !std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY"))
    return false;
  std::string program = browser && *browser ? browser : "xdg-open", address = url;
  char *arguments[] = {program.data(), address.data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &none);
  pid_t child;
  int error = posix_spawnp(&child, program.c_str(), &files, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error == 0;
}

struct Options {
  std::string path = "nophook.data";
  std::string against;
  std::string output;
  bool no_open = false;
  uint32_t port = 0;
  bool index_only = false;
  Selection selection; // its time alone
};

// The end of the page's address that opens it with the selected time in view; empty: with all.
Result<std::string> selected_place(Selection selection, const RecordingIndex &index) {
  if (!selection.any())
    return std::string();
  const Recording &recording = index.recording();
  NOPHOOK_TRY(place_times_of_day("view", recording.path(), recording.wall_time(), &selection));
  auto place = [&](const Instant &at, int64_t end) {
    const int64_t first = at.is_relative ? 0 : (int64_t)recording.clock().at(index.origin());
    return at.ns ? std::clamp<int64_t>(*at.ns - first, 0, (int64_t)index.duration()) : end;
  };
  const int64_t from = place(selection.from, 0);
  const int64_t to = place(selection.to, (int64_t)index.duration());
  if (from >= to)
    return error_at(recording.path(), "nothing in it matches the options");
  return fmt::format("#t={0},{1}&s={0},{1}", from, to);
}

Result<> write_single_page(const Options &options,
                           const std::vector<std::unique_ptr<Viewed>> &recordings) {
  constexpr uint64_t kMostBytes = 20 << 20;
  auto page = single_page(recordings.front()->index, recordings.front()->api, kMostBytes);
  NOPHOOK_TRY(page);
  std::vector<int> sources;
  for (const auto &viewed : recordings)
    sources.push_back(viewed->recording.file().descriptor());
  auto file = create_derived_file(options.output, sources);
  NOPHOOK_TRY(file);
  if (!write_all(file->get(), page->html.data(), page->html.size()))
    return system_error(options.output, "cannot be written");
  if (page->left_out)
    fmt::print(stderr,
               "nophook: {}: holds the {} longest calls; {} shorter calls did not find room in "
               "{} MB\n",
               options.output, page->calls, page->left_out, kMostBytes >> 20);
  if (page->notes_left_out)
    fmt::print(stderr,
               "nophook: {}: holds arguments and results of the longest calls; those of {} shorter "
               "calls did not find room\n",
               options.output, page->notes_left_out);
  return {};
}

Result<int> serve(const Options &options, const std::vector<std::unique_ptr<Viewed>> &recordings) {
  RecordingIndex &index = recordings.front()->index;
  auto place = selected_place(options.selection, index);
  NOPHOOK_TRY(place);
  auto answer = [&](const HttpServer::Request &request) {
    constexpr std::string_view kApi = "api/";
    if (request.path.starts_with(kApi))
      return recordings.front()->api.answer(request.path.substr(kApi.size()),
                                            ViewQuery(request.query));
    return page_file(request.path);
  };
  sigset_t ends;
  sigemptyset(&ends);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD})
    sigaddset(&ends, signal);
  ::pthread_sigmask(SIG_BLOCK, &ends, nullptr); // inherited by the server's threads
  auto server = HttpServer::start((uint16_t)options.port, answer);
  NOPHOOK_TRY(server);
  fmt::print("{}{}\n", (*server)->url(), *place);
  std::fflush(stdout);
  if (!options.no_open && !open_browser((*server)->opening_url() + *place))
    fmt::print(stderr, "nophook: open this address in a browser; Ctrl-C ends\n");
  IndexProgress progress(index);
  while (!(*server)->is_left(kLeftFor)) {
    timespec wait = {0, 200'000'000};
    int signal = ::sigtimedwait(&ends, nullptr, &wait);
    if (signal == SIGCHLD)
      ::waitpid(-1, nullptr, WNOHANG);
    else if (signal > 0)
      break;
    progress.show();
    if (index.complete)
      progress.end();
    // An error leaves the page its index in memory.
    for (auto &viewed : recordings)
      if (auto saved = viewed->saved(); !saved.ok())
        fmt::print(stderr, "nophook: {}\n", printable(saved.error().text()));
  }
  progress.end();
  return kExitOk;
}

} // namespace

Result<int> view_verb(const Arguments &arguments) {
  Options options;
  VerbOptions verb = {
      "nophook view",
      "Shows a recording in the browser: a timeline of all threads, flame graphs, functions and "
      "the\nslowest calls of any part of it. The page is served on 127.0.0.1 until it is closed.",
      {{"PATH", &options.path, "the recording (nophook.data)"},
       {"--against", &options.against, "compare with this recording", {.type = "PATH"}},
       {"-o,--output", &options.output, "write one self-contained page instead", {.type = "FILE"}},
       {"--no-open", &options.no_open, "do not start a browser"},
       {"--port", &options.port, "the port (any that is free)", {.type = "N", .range = {0, 65535}}},
       {"--index-only", &options.index_only, "only write PATH.index, which later views read"}}};
  add_selection_options(&verb, &options.selection,
                        "--function --notrace --hide --only --where --tid --pid --min-duration "
                        "--depth --off-cpu"); // the page chooses these
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  NOPHOOK_TRY(read_times("view", &options.selection));
  if (options.selection.any() && (options.index_only || !options.output.empty()))
    return Error{"view", "--time", "is for a page that is served", kExitUsage};
  std::vector<std::unique_ptr<Viewed>> recordings;
  for (const std::string &path : {options.path, options.against}) {
    if (path.empty())
      continue;
    auto opened = Viewed::open(path);
    NOPHOOK_TRY(opened);
    recordings.push_back(std::move(*opened));
  }
  if (recordings.size() > 1)
    recordings[0]->api.set_other(recordings[1]->api);
  if (options.output.empty() && !options.index_only)
    return serve(options, recordings);
  for (auto &viewed : recordings)
    NOPHOOK_TRY(viewed->finish_index());
  if (!options.index_only)
    NOPHOOK_TRY(write_single_page(options, recordings));
  for (auto &viewed : recordings)
    if (std::string damage = viewed->index.damage(); !damage.empty())
      return error_at(viewed->recording.path(), damage);
  return kExitOk;
}

} // namespace nophook
