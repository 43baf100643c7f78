// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook tracefs-exec and trace-cmd: run tools for the kernel's tracing on a process.

#include "process/attach/serve_process.h"
#include "process/drain/dir_option.h"
#include "process/launch/child.h"
#include "process/mount/tracing_folder.h"
#include "process/mount/tree_mount.h"
#include "verbs.h"

#include <unistd.h>

namespace nophook {

namespace {

constexpr std::chrono::seconds kPatience(10); // for recorders that do not begin to read

// Adds --nosplice to the command `trace-cmd record`, which would splice. A file system in user
// space gives only its last pages to a splice. Null: another command.
std::unique_ptr<RecorderGate> prepare_recorder(std::vector<std::string> *command) {
  const std::string &program = command->front();
  if (command->size() < 2 || program.substr(program.rfind('/') + 1) != "trace-cmd" ||
      (*command)[1] != "record")
    return nullptr;
  command->insert(command->begin() + 2, "--nosplice");
  return std::make_unique<RecorderGate>(sysconf(_SC_NPROCESSORS_CONF), kPatience);
}

// Runs a command that finds the process's tree where the kernel's is.
Result<int> run_in_tree(int32_t pid, std::vector<std::string> command) {
  std::unique_ptr<RecorderGate> gate = prepare_recorder(&command);
  NOPHOOK_TRY(serve_process(pid));
  auto tree = ControlTree::connect(pid);
  NOPHOOK_TRY(tree);
  NOPHOOK_TRY(make_tracing_folder(pid));
  auto mount = TreeMount::create(std::move(*tree), kTracingFolder, std::move(gate));
  NOPHOOK_TRY(mount);
  Program program = {"/bin/sh", {"sh", "-c", "exec \"$@\"", "nophook"}, false};
  program.arguments.insert(program.arguments.end(), command.begin(), command.end());
  auto child = Child::start(program, {});
  NOPHOOK_TRY(child);
  std::thread server([&] { (*mount)->run(false); });
  int status = child->wait();
  (*mount)->end();
  server.join();
  return status;
}

// The command behind `--`; `pid` becomes the process in front of it.
Result<std::vector<std::string>> split(Arguments arguments, const char *verb, int32_t *pid) {
  if (arguments.size() > 2 && arguments[0] == "--dir") {
    add_buffer_folder(arguments[1]);
    arguments.erase(arguments.begin(), arguments.begin() + 2);
  }
  if (arguments.size() < 3 || arguments[1] != "--" || !parse_number(arguments[0], pid))
    return Error{verb, "",
                 fmt::format("PID -- and a command are expected (see nophook {} --help)", verb),
                 kExitUsage};
  return std::vector<std::string>(arguments.begin() + 2, arguments.end());
}

constexpr const char *kOptions =
    "  --dir DIR   the folder of its socket and buffers (its buffer_dir), if they are not found\n"
    "  -h,--help   print this\n";

bool asks_for_completion(const Arguments &arguments) {
  if (arguments != Arguments{"--complete"})
    return false;
  print_completion({"", "", {dir_option()}});
  return true;
}

bool asks_for_help(const Arguments &arguments) {
  return !arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h");
}

} // namespace

Result<int> tracefs_exec_verb(const Arguments &arguments) {
  if (asks_for_completion(arguments))
    return kExitOk;
  if (asks_for_help(arguments)) {
    fmt::print("Runs a command that finds the control tree of a process at {}.\n"
               "usage: nophook tracefs-exec [--dir DIR] PID -- COMMAND [ARGS...]\n{}",
               kTracingFolder, kOptions);
    return kExitOk;
  }
  int32_t pid = 0;
  auto command = split(arguments, "tracefs-exec", &pid);
  NOPHOOK_TRY(command);
  return run_in_tree(pid, std::move(*command));
}

Result<int> trace_cmd_verb(const Arguments &arguments) {
  if (asks_for_completion(arguments))
    return kExitOk;
  if (asks_for_help(arguments)) {
    fmt::print("Runs trace-cmd on a process that serves its control tree.\n"
               "usage: nophook trace-cmd [--dir DIR] PID -- ARGS...\n{}",
               kOptions);
    return kExitOk;
  }
  int32_t pid = 0;
  auto words = split(arguments, "trace-cmd", &pid);
  NOPHOOK_TRY(words);
  words->insert(words->begin(), "trace-cmd");
  return run_in_tree(pid, std::move(*words));
}

} // namespace nophook
