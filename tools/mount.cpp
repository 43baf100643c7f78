// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook mount: a process's control tree as a folder, for shells and for tools that use the
// kernel's.

#include "foundation/installation.h"
#include "process/attach/serve_process.h"
#include "process/drain/dir_option.h"
#include "process/launch/child.h"
#include "process/launch/program.h"
#include "process/mount/tree_mount.h"
#include "verbs.h"

#include <chrono>

namespace nophook {

namespace {

constexpr std::chrono::milliseconds kPause(5), kLongestPause(200);

// The control tree of the program, once the program serves. Error: it has ended before.
Result<std::unique_ptr<ControlTree>> wait_for(Child &child) {
  for (auto pause = kPause;; pause = std::min(pause * 2, kLongestPause)) {
    if (auto tree = ControlTree::connect(child.pid()))
      return std::move(*tree);
    if (child.exit_status())
      return error_at("mount", "the program ended before it served (is it static, or without "
                               "traceable functions?)");
    std::this_thread::sleep_for(pause);
  }
}

Result<int> mount_program(const std::vector<std::string> &words, const std::string &folder) {
  auto program = find_program(words);
  NOPHOOK_TRY(program);
  auto runtime = find_runtime();
  NOPHOOK_TRY(runtime);
  const char *settings = std::getenv("NOPHOOK"), *others = std::getenv("LD_PRELOAD");
  std::vector<std::string> variables = {
      fmt::format("NOPHOOK={}{}serve", settings ? settings : "", settings ? " " : "")};
  if (program->preload)
    variables.push_back(
        fmt::format("LD_PRELOAD={}{}{}", *runtime, others ? ":" : "", others ? others : ""));
  auto child = Child::start(*program, variables);
  NOPHOOK_TRY(child);
  auto tree = wait_for(*child);
  auto mount = tree ? TreeMount::create(std::move(*tree), folder)
                    : Result<std::unique_ptr<TreeMount>>(tree.error());
  if (!mount)
    fmt::print(stderr, "nophook: {}{}\n", printable(mount.error().text()),
               child->exit_status() ? "" : "; the program continues");
  std::thread server;
  if (mount)
    server = std::thread([&] { (*mount)->run(false); });
  int status = child->wait();
  if (mount)
    server.join();
  return status;
}

} // namespace

Result<int> mount_verb(const Arguments &arguments) {
  std::vector<std::string> words;
  bool executes = !arguments.empty() && arguments[0] == "--exec";
  bool stays = false, unused = false;
  const VerbOptions verb = {
      "nophook mount",
      "Mounts a process's control tree on a folder, until the process ends.",
      {{"-f,--foreground", &stays, "stay in the foreground until the folder is unmounted"},
       {"--exec", &unused, "start a program that serves, and exit with its status"},
       {"PID|PROGRAM", &words, "the process; it loads the runtime if it has none"},
       dir_option()},
      "usage: nophook mount PID DIR\n       nophook mount --exec PROGRAM [ARGS...] DIR"};
  if (!executes) {
    auto go_on = parse(verb, arguments);
    NOPHOOK_TRY(go_on);
    if (!*go_on)
      return kExitOk;
  } else {
    words.assign(arguments.begin() + 1, arguments.end());
  }
  if (words.size() < 2 || (!executes && words.size() > 2))
    return Error{"mount", "", "PID and DIR are expected (see nophook mount --help)", kExitUsage};
  std::string folder = words.back();
  words.pop_back();
  if (executes)
    return mount_program(words, folder);
  int32_t pid = 0;
  if (!parse_number(words[0], &pid))
    return Error{"mount", "", "PID is a number", kExitUsage};
  NOPHOOK_TRY(serve_process(pid));
  auto tree = ControlTree::connect(pid);
  NOPHOOK_TRY(tree);
  auto mount = TreeMount::create(std::move(*tree), folder);
  NOPHOOK_TRY(mount);
  if (!stays)
    NOPHOOK_TRY((*mount)->leave_terminal());
  (*mount)->run(true);
  return kExitOk;
}

} // namespace nophook
