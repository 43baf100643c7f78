// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook: the command. It finds the verb, and prints the error if there is one.

#include "foundation/closest.h"
#include "foundation/damaged_file.h"
#include "foundation/file.h"
#include "foundation/mapped_files.h"
#include "verbs.h"

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>
#include <span>
#include <unistd.h>

namespace nophook {
namespace {

constexpr const char *kUsage = R"(nophook: the kernel's ftrace, for user space

Build programs that can be traced
  cc, c++ ARGS             clang or gcc
  rustc, cargo ARGS        Rust's compiler and build system
  ld ARGS                  the linker, which records the sites of objects that it links
  list BINARY              show which functions can be traced, and how
  why FUNCTION BINARY      explain why a function cannot be traced, or only its entry

Record
  record PROGRAM ARGS      trace a program
  live PROGRAM ARGS        trace a program and show its calls
  attach PID               record a running process
  recover WHAT             make a recording of a buffer that was left behind

Look at a recording; the default of PATH is nophook.data
  report [PATH]            the kernel's `trace` text, or tables of functions (--top)
  graph [FUNCTION] [PATH]  where the time went, merged by callers
  view [PATH]              the browser: timeline, flame graphs, slowest calls
  latency FROM [PATH]      how long calls take, and what happened in the slowest
  stack [PATH]             the deepest stack
  diff BEFORE AFTER        two recordings of a program, compared
  info [PATH]              command, machine, processes, sizes
  script FILE [PATH]       a Python program on a recording
  export [PATH] --format FORMAT  the format of another tool
  export BINARY --uprobes  probes of its functions for the kernel's tracers

Control a running process
  ps                       your processes that serve their control tree
  start [PID] [GLOB]       start tracing
  stop [PID]               pause tracing
  show [PID]               show its trace
  top [PID]                show its busiest functions, again and again
  stat PID|PATH            show how full its buffer is
  get PID [FILE]           show a file of its control tree, as cat does
  set PID FILE VALUE       write to a file of its control tree, as echo does
  reset [PID]              reset its control tree
  mount PID DIR            mount its control tree on a folder
  trace-cmd PID -- ARGS    run trace-cmd on it
  tracefs-exec PID -- COMMAND  run a command that finds it in the kernel's place

Patch a running process
  patch ACTION [FILE...]   build, apply, list and take back live patches

`nophook help VERB` shows the options of a verb; cc, c++, rustc, cargo and ld have those of these programs.
)";

struct Verb {
  const char *name;
  Result<int> (*run)(const Arguments &);
};
constexpr Verb kVerbs[] = {{"record", record_verb},
                           {"live", live_verb},
                           {"attach", attach_verb},
                           {"report", report_verb},
                           {"graph", graph_verb},
                           {"view", view_verb},
                           {"latency", latency_verb},
                           {"stack", stack_verb},
                           {"diff", diff_verb},
                           {"info", info_verb},
                           {"script", script_verb},
                           {"recover", recover_verb},
                           {"stat", stat_verb},
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
                           {"patch", patch_verb},
                           {"cc", cc_verb},
                           {"c++", cxx_verb},
                           {"rustc", rustc_verb},
                           {"cargo", cargo_verb},
                           {"ld", ld_verb}};
constexpr Verb kHiddenVerbs[] = {{"gcc-launch", gcc_launch_verb}, {"gcc-step", gcc_step_verb}};

std::string verb_list(const char *between) {
  std::string list;
  for (const Verb &verb : kVerbs)
    list += (list.empty() ? "" : between) + std::string(verb.name);
  return list;
}

Error unknown_verb(const std::string &name) {
  std::vector<std::string> names;
  for (const Verb &verb : kVerbs)
    names.push_back(verb.name);
  const std::string meant = did_you_mean(name, names);
  return {"", "",
          meant.empty() ? fmt::format("unknown verb '{}' ({})", name, verb_list(", "))
                        : fmt::format("unknown verb '{}'{}", name, meant),
          kExitUsage};
}

// Prints the help of a verb, for `nophook help VERB`.
Result<int> help_of(const std::string &name) {
  for (const Verb &verb : kVerbs) {
    if (name != verb.name)
      continue;
    if (name == "ld" || name == "rustc" || name == "cargo") {
      fmt::print("nophook {0} ARGS: runs {0} so that the result can be traced.\n"
                 "Its options are those of {0} ({0} --help); man nophook-{1} describes what is "
                 "added.\n",
                 name, name == "rustc" ? "cargo" : name);
      return kExitOk;
    }
    if (name != "cc" && name != "c++") // the options of these are the compiler's
      return verb.run({"--help"});
    fmt::print(
        "nophook {0} ARGS: runs the compiler so that its programs can be traced.\n"
        "Its options are the compiler's ({0} --help); man nophook-cc describes what is added.\n",
        name);
    return kExitOk;
  }
  return unknown_verb(name);
}

Result<int> run(Arguments arguments) {
  if (arguments.empty()) {
    fmt::print(stderr, "{}", kUsage);
    return kExitUsage;
  }
  std::string name = arguments.front();
  arguments.erase(arguments.begin());
  if (name == "help" && !arguments.empty())
    return help_of(arguments.front());
  if (name == "--help" || name == "-h" || name == "help") {
    fmt::print("{}", kUsage);
    return kExitOk;
  }
  if (name == "--version" || name == "version") {
    fmt::print("nophook {}\n", NOPHOOK_VERSION);
    return kExitOk;
  }
  if (name == "--complete") { // for shells: see print_completion in foundation/options.h
    fmt::print("{}\n", verb_list("\n"));
    return kExitOk;
  }
  for (std::span<const Verb> verbs :
       {std::span<const Verb>(kVerbs), std::span<const Verb>(kHiddenVerbs)})
    for (const Verb &verb : verbs)
      if (name == verb.name)
        return verb.run(arguments);
  return unknown_verb(name);
}

// The verbs that are chosen by the name of the command. Compilers look for a linker by its name in
// a folder: there it is a link to this command.
Result<int> run_as(const std::string &path, const Arguments &arguments) {
  const std::string name = path.substr(path.rfind('/') + 1);
  if (name == "nophook-rustc")
    return wrap_rustc(arguments);
  return name == "ld" || name.starts_with("ld.") ? link_by(name, arguments) : run(arguments);
}

// Opens /dev/null for each closed descriptor from 0 to 2. Such a number would be that of the next
// file that we open, such as the recording, and our messages would go into it. A program that we
// start finds them closed, as we did.
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
  nophook::report_shrunken_files();
  nophook::report_damaged_files();
  auto result = nophook::run_as(argc ? argv[0] : "", {argv + std::min(argc, 1), argv + argc});
  if (result)
    return *result;
  std::string text = "nophook: " + nophook::printable(result.error().text()) + "\n";
  (void)!write(2, text.data(), text.size()); // one write: it may share a terminal
  return result.error().exit_status;
}
