// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook cc, nophook c++: the compiler, with the flags that make what it builds traceable.
//
// It makes a build traceable without an edit: CC="nophook cc" ./configure && make. The command
// becomes clang by exec, so exit status, signals and output are the compiler's own; for gcc see
// build/cc/gcc.h. After a link it looks whether the program's table has all of its sites, and only
// warns. The user's arguments stay as they are, also response files. Ours come in front, so that a
// `--` cannot hide them. All options are the compiler's, also --help, so only variables choose:
//
//   NOPHOOK_CC, NOPHOOK_CXX   another compiler: a clang that there is a plugin for, or gcc; may
//                             be several words: "ccache gcc". One of them chooses for both
//                             languages, by the names that belong together
//   NOPHOOK_RUNTIME           links the runtime in: 1 or shared, static; 0 does not

#include "build/cc/compiler.h"
#include "build/cc/flags.h"
#include "build/cc/gcc.h"
#include "build/cc/other_program.h"
#include "foundation/installation.h"
#include "foundation/output.h"
#include "read/symbols/site_guard.h"
#include "verbs.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sstream>

namespace nophook {

namespace {

const std::string kVersion = fmt::format("-{}", NOPHOOK_LLVM);

std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

Arguments words_in(const char *variable) {
  Arguments words;
  std::istringstream given(environment(variable));
  for (std::string word; given >> word;)
    words.push_back(word);
  return words;
}

struct Language {
  const char *variable, *default_compiler;
  const char *other_variable; // the variable of the other language
  bool is_cxx;
};
constexpr Language kC = {"NOPHOOK_CC", "clang", "NOPHOOK_CXX", false},
                   kCxx = {"NOPHOOK_CXX", "clang++", "NOPHOOK_CC", true};

// The words that start the compiler: the user's choice for this language, else the choice for the
// other one, as the parts of a program go together. Without a choice they are those of the clang
// that the plugin was built for. Its name is tried first: the path may have a compiler cache of the
// same name in front.
Result<Arguments> compiler_words(const Language &language) {
  Arguments words = words_in(language.variable), others = words_in(language.other_variable);
  if (words.empty() && !others.empty()) {
    words = for_language(others, language.is_cxx);
    if (words.empty())
      return Error{language.variable, "",
                   fmt::format("is not set, and the compiler that belongs to {}=\"{}\" is not "
                               "known: set it",
                               language.other_variable, fmt::join(others, " ")),
                   kExitUsage};
  }
  // The chosen compiler may be a wrapper that calls this command: the choice must not lead back
  // here forever.
  unsetenv(language.variable);
  unsetenv(language.other_variable);
  if (words.empty())
    words.push_back(std::string(language.default_compiler) + kVersion);
  return words;
}

// ccache looks into the plugin by itself, but not into the lists that its options name.
void tell_ccache(const Arguments &lists) {
  std::string files = environment("CCACHE_EXTRAFILES");
  for (const std::string &list : lists)
    files += (files.empty() ? "" : ":") + list;
  if (!lists.empty())
    setenv("CCACHE_EXTRAFILES", files.c_str(), 1);
}

// The parsed command line of the compiler, and in `flags` the words that this command adds to it.
Result<CommandLine> prepare(const Arguments &command, const std::string &gcc, unsigned clang,
                            const Arguments &arguments, Arguments *flags) {
  auto runtime = wanted_runtime();
  NOPHOOK_TRY(runtime);
  // Options in NOPHOOK_CC are part of the command line, too.
  Arguments words;
  for (const std::string &word : command)
    if (!words.empty() || word.starts_with("-"))
      words.push_back(word);
  words.insert(words.end(), arguments.begin(), arguments.end());
  bool is_inner = !arguments.empty() && arguments.front().starts_with("-cc1");
  CommandLine line = is_inner ? CommandLine() : read_command_line(words, gcc);

  auto ours = flags_for(line, *runtime, clang);
  NOPHOOK_TRY(ours);
  *flags = *ours;
  tell_ccache(line.lists);
  return line;
}

// The major version of the chosen clang. With the plugin for another one it would fail with an
// undefined symbol of LLVM, or crash.
Result<unsigned> check_version(const Language &language, const Arguments &command) {
  const ClangVersion version = clang_version(command);
  if (!version.major)
    return NOPHOOK_LLVM;
  if (version.major == NOPHOOK_LLVM || find_plugin(version.major))
    return version.major;
  return Error{language.variable, "",
               fmt::format("there is no plugin for Clang {1} ({2}): set {3}={4}-{0}, or a gcc",
                           NOPHOOK_LLVM, version.major, version.path, language.variable,
                           language.default_compiler),
               kExitUsage};
}

bool makes_tables(const CommandLine &line) {
  return line.has_inputs && line.links && line.can_link && line.can_trace;
}

Result<int> compile(const Language &language, const Arguments &arguments) {
  const std::string name = language.default_compiler;
  bool by_default =
      environment(language.variable).empty() && environment(language.other_variable).empty();
  auto chosen = compiler_words(language);
  NOPHOOK_TRY(chosen);
  Arguments command = *chosen, flags;
  const std::string gcc = gcc_in(command);
  auto clang = gcc.empty() ? check_version(language, command) : 0;
  NOPHOOK_TRY(clang);
  auto line = prepare(command, gcc, *clang, arguments, &flags);
  NOPHOOK_TRY(line);
  const std::string output = makes_tables(*line) ? linked_file(arguments) : "";
  if (!output.empty())
    if (const std::optional<int> status = split()) {
      if (*status == 0)
        warn_of_lost_sites(output);
      return *status;
    }
  if (!gcc.empty())
    return run_gcc({command, flags, arguments}, *line);

  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), arguments.begin(), arguments.end());
  int problem = become(command);
  if (problem == ENOENT && by_default) {
    command.front() = NOPHOOK_LLVM_BINDIR "/" + name;
    if (problem = become(command); problem == ENOENT)
      return error_at(name + kVersion, std::string("is not installed (Debian: clang") + kVersion +
                                           "); " + language.variable +
                                           " may name another place, or gcc");
  }
  return error_at(command.front(), std::string("cannot be executed: ") + std::strerror(problem));
}

} // namespace

Result<int> cc_verb(const Arguments &arguments) {
  return compile(kC, arguments);
}

Result<int> cxx_verb(const Arguments &arguments) {
  return compile(kCxx, arguments);
}

Result<int> gcc_launch_verb(const Arguments &arguments) {
  auto first = std::ranges::find_if(
      arguments, [](const std::string &word) { return word.starts_with("-") || word[0] == '@'; });
  const Arguments command(arguments.begin(), first), rest(first, arguments.end());
  if (command.empty())
    return Error{"gcc-launch", "", "no compiler is named", kExitUsage};
  Arguments flags;
  auto line = prepare(command, command.back(), 0, rest, &flags);
  NOPHOOK_TRY(line);
  return run_gcc({command, flags, rest}, *line);
}

Result<int> gcc_step_verb(const Arguments &arguments) {
  return run_gcc_step(arguments);
}

} // namespace nophook
