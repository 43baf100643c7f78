// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook: the command. Finds the verb, prints the one error there may be.

#include "base/file.h"
#include "verbs.h"

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace nophook {
namespace {

constexpr const char *kUsage = R"(nophook: the kernel's ftrace, for user space

  nophook record [-p TRACER] [-l GLOB] [-n GLOB] [-o PATH] PROGRAM ARGS   trace a program
  nophook attach PID [-o PATH]        record a process that runs already and serves
  nophook report [PATH] [--top]       show what was recorded, as the kernel's `trace` text
  nophook latency FROM [PATH]         show the slowest call, or the longest time between two points
  nophook stack [PATH]                show the deepest stack
  nophook recover WHAT                make a recording of what a program has left behind
  nophook stat PID|PATH               show what a traced process's buffer holds
  nophook ps [--json]                 show your processes that serve their control tree
  nophook get PID [FILE]              show a file of it, as cat does
  nophook set PID FILE VALUE          write to a file of it, as echo does
  nophook start [PID] [GLOB]          trace a process that runs already and serves
  nophook stop [PID]                  pause that
  nophook show [PID]                  show what has been traced
  nophook reset [PID]                 make its control tree as it was at first
  nophook top [PID]                   show its busiest functions, again and again
  nophook mount PID DIR               make a folder of it
  nophook trace-cmd PID -- ARGS       run trace-cmd on it
  nophook tracefs-exec PID -- COMMAND run a command that finds it in the kernel's place
  nophook list BINARY                 show which functions can be traced, and how
  nophook why FUNCTION BINARY         say why a function cannot be traced, or only so
  nophook export BINARY --uprobes     print probes at its functions for the kernel's tracers
  nophook export [PATH] --format trace.dat  make what trace-cmd and KernelShark read of a recording
  nophook cc ARGS, nophook c++ ARGS   clang or gcc, making programs traceable

`nophook VERB --help` tells the options; those of cc and c++ are the compiler's. PATH is nophook.data
if it is left out.
)";

struct Verb {
  const char *name;
  Result<int> (*run)(const Arguments &);
};
constexpr Verb kVerbs[] = {{"record", record_verb},
                           {"attach", attach_verb},
                           {"report", report_verb},
                           {"latency", latency_verb},
                           {"stack", stack_verb},
                           {"stat", stat_verb},
                           {"recover", recover_verb},
                           {"ps", ps_verb},
                           {"get", get_verb},
                           {"set", set_verb},
                           {"start", start_verb},
                           {"stop", stop_verb},
                           {"show", show_verb},
                           {"reset", reset_verb},
                           {"top", top_verb},
                           {"mount", mount_verb},
                           {"trace-cmd", trace_cmd_verb},
                           {"tracefs-exec", tracefs_exec_verb},
                           {"list", list_verb},
                           {"why", why_verb},
                           {"export", export_verb},
                           {"cc", cc_verb},
                           {"c++", cxx_verb},
                           {"gcc-launch", gcc_launch_verb},
                           {"gcc-step", gcc_step_verb}};

Result<int> run(Arguments arguments) {
  if (arguments.empty()) {
    fmt::print(stderr, "{}", kUsage);
    return kExitUsage;
  }
  std::string name = arguments.front();
  arguments.erase(arguments.begin());
  if (name == "--help" || name == "-h" || name == "help") {
    fmt::print("{}", kUsage);
    return kExitOk;
  }
  if (name == "--version") {
    fmt::print("nophook {}\n", NOPHOOK_VERSION);
    return kExitOk;
  }
  for (const Verb &verb : kVerbs)
    if (name == verb.name)
      return verb.run(arguments);
  return Error{"", "",
               "unknown verb '" + name +
                   "' (record, attach, report, latency, stack, recover, stat, ps, get, set, start, "
                   "stop, show, reset, top, mount, trace-cmd, tracefs-exec, list, why, export, cc, "
                   "c++)",
               kExitUsage};
}

// A descriptor from 0 to 2 that is closed would be the next file that we open, such as the
// recording, and our messages would go into it. A program that we start finds them closed, as we
// did.
void fill_standard_descriptors() {
  int fd;
  do
    fd = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0)
    ::close(fd);
}

} // namespace

} // namespace nophook

int main(int argc, char **argv) {
  nophook::fill_standard_descriptors();
  auto result = nophook::run({argv + std::min(argc, 1), argv + argc});
  if (result)
    return *result;
  std::string text = "nophook: " + nophook::printable(result.error().text()) + "\n";
  (void)!write(2, text.data(), text.size()); // one write: it may share a terminal
  return result.error().exit_status;
}
