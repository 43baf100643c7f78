// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs gcc with calls at entries, then recordmcount on its objects.

#include "build/cc/gcc.h"

#include "machine/machine.h"

#include "build/cc/other_program.h"
#include "foundation/installation.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace nophook {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Words operator+(Words first, const Words &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Flags for the compiler proper. They request calls at the very beginning of functions, where the
// processor has them: gcc 12 loses entries of patchable inline functions. -p is what -pg is for the
// compiler proper, but gcc does not refuse it beside -fomit-frame-pointer. Descriptors are made
// from debug info; the user's -g0 wins.
Words compiler_flags(const CommandLine &line) {
  Words flags;
  if (line.machine && line.machine->has_fentry && !line.is_large)
    flags = {"-p", "-mfentry"};
  else if (line.machine)
    flags = {"-fpatchable-function-entry=" + line.machine->entry_nops.str()};
  if (line.has_languages || line.precompiles)
    flags.insert(flags.begin(), "-g");
  return flags;
}

// Records the objects. The output that gcc was asked for may be /dev/null, or may not exist: -###.
Result<int> record(const Words &objects) {
  auto recordmcount = find_recordmcount();
  NOPHOOK_TRY(recordmcount);
  Words command = {*recordmcount, "--quiet", "--"};
  std::error_code error;
  for (const std::string &object : objects)
    if (fs::is_regular_file(object, error) && fs::file_size(object, error) > 0)
      command.push_back(object);
  return command.back() == "--" ? 0 : run(command);
}

// Removes objects after a failure, since `make` takes an existing object for done.
void remove(const Words &objects) {
  std::error_code error;
  for (const std::string &object : objects)
    if (fs::is_regular_file(object, error))
      fs::remove(object, error);
}

Result<int> compile(const Words &command, const Words &objects) {
  // If one of several sources fails, the objects of the others exist.
  const int status = run(command);
  auto recorded = record(objects);
  if (!recorded || *recorded != 0)
    remove(objects);
  NOPHOOK_TRY(recorded);
  return status ? status : *recorded;
}

Result<Words> wrapper(const CommandLine &line) {
  std::error_code error;
  const std::string self = fs::read_symlink("/proc/self/exe", error);
  if (error || self.find(',') != std::string::npos)
    return error_at(self, "gcc cannot start a program with a comma in its path: compile and link "
                          "in two steps");
  std::string value = self + ",gcc-step";
  for (const std::string &flag : compiler_flags(line))
    value += "," + flag;
  return Words{"-wrapper", value};
}

Result<int> become_or_fail(const Words &command) {
  const int problem = become(command);
  return error_at(command.front(), std::string("cannot be executed: ") + std::strerror(problem));
}

} // namespace

Result<int> run_gcc(const GccRun &run, const CommandLine &line) {
  const bool makes_code = line.can_trace && (line.has_sources || line.precompiles);
  if (makes_code && line.has_lto)
    fmt::print(stderr, "nophook: warning: gcc's -flto generates the code at link time, where "
                       "recordmcount cannot see it: these files cannot be traced\n");
  Words flags = run.flags;
  if (makes_code && !line.has_lto) {
    if (line.runs_linker && line.has_sources) {
      auto words = wrapper(line);
      NOPHOOK_TRY(words);
      flags = *words + flags;
      // gcc wraps only the first one of two programs with a pipe between them.
      if (line.has_pipe)
        return become_or_fail(without_pipe(run.compiler) + flags + without_pipe(run.arguments));
    } else if (line.precompiles || !line.objects.empty()) {
      flags = compiler_flags(line) + flags;
      if (!line.objects.empty())
        return compile(run.compiler + flags + run.arguments, line.objects);
    }
  }
  return become_or_fail(run.compiler + flags + run.arguments);
}

Result<int> run_gcc_step(const Words &arguments) {
  static constexpr const char *kCompilers[] = {"cc1", "cc1plus", "cc1obj", "cc1objplus"};
  auto program = std::find_if(arguments.begin(), arguments.end(),
                              [](const std::string &word) { return !word.starts_with("-"); });
  if (program == arguments.end())
    return Error{"gcc-step", "", "no program is named", kExitUsage};
  const Words flags(arguments.begin(), program), rest(program + 1, arguments.end());
  const std::string name = fs::path(*program).filename();
  const Words command = Words{*program} + rest;
  if (std::ranges::find(kCompilers, name) != std::end(kCompilers))
    return become_or_fail(Words{*program} + flags + rest);
  auto output = std::find(rest.begin(), rest.end(), "-o");
  if (name != "as" || rest.end() - output < 2)
    return become_or_fail(command);
  return compile(command, {output[1]});
}

} // namespace nophook
