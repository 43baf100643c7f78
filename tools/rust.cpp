// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook rustc, nophook cargo: Rust's compiler and its build system, making programs traceable.
//
// cargo takes flags for rustc from five places, of which one hides the others: flags in RUSTFLAGS
// would take away those of a project. So cargo keeps its own, and starts rustc by way of this
// command (RUSTC_WRAPPER), which adds what is missing. cargo also has to know that results differ:
// it identifies a compiler by what `rustc -vV` prints, and here that has a line more. So both kinds
// of results are in one target folder, and none is taken for the other.
//
// Build scripts and procedural macros run while others compile, and get nothing. A build script
// that calls rustc asks what this compiler can do, and must see the ordinary one.

#include "build/cc/rust.h"
#include "build/cc/other_program.h"
#include "foundation/installation.h"
#include "foundation/output.h"
#include "machine/machine.h"
#include "verbs.h"

#include <cstdlib>
#include <cstring>
#include <sstream>

namespace nophook {

namespace {

constexpr const char *kNextWrapper = "NOPHOOK_RUSTC_WRAPPER"; // the user's wrapper: sccache

Arguments operator+(Arguments first, const Arguments &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Arguments words_of(const char *variable, const char *otherwise) {
  const char *value = std::getenv(variable);
  std::istringstream given(value && *value ? value : otherwise);
  Arguments words;
  for (std::string word; given >> word;)
    words.push_back(word);
  return words;
}

Result<int> become_or_fail(const Arguments &command) {
  const int problem = become(command);
  return error_at(command.front(),
                  std::string("cannot be executed: ") + std::strerror(problem) +
                      (problem == ENOENT ? " (Debian: rustc-web, cargo-web)" : ""));
}

Result<int> compile(const Arguments &compiler, const Arguments &arguments) {
  const RustLine line = read_rust_line(arguments);
  if (!line.makes_code || line.is_for_build)
    return become_or_fail(compiler + arguments);
  if (!line.can_trace) {
    fmt::print(stderr,
               "nophook: warning: programs for this target cannot be traced, only those for "
               "Linux with glibc on {}\n",
               machine_names(" and "));
    return become_or_fail(compiler + arguments);
  }
  auto linkers = find_linker_folder();
  NOPHOOK_TRY(linkers);
  setenv("RUSTC_BOOTSTRAP", "1", 1);
  return become_or_fail(compiler + traceable(arguments, line, *linkers));
}

// Cargo sets all of these variables for build scripts only.
bool is_in_build_script() {
  for (const char *variable : {"PROFILE", "OPT_LEVEL", "NUM_JOBS", "HOST"})
    if (!std::getenv(variable))
      return false;
  return true;
}

} // namespace

Result<int> rustc_verb(const Arguments &arguments) {
  return compile(words_of("NOPHOOK_RUSTC", "rustc"), arguments);
}

Result<int> cargo_verb(const Arguments &arguments) {
  auto folder = find_linker_folder();
  NOPHOOK_TRY(folder);
  const std::string wrapper = *folder + "/nophook-rustc";
  const char *other = std::getenv("RUSTC_WRAPPER");
  if (other && *other && other != wrapper)
    setenv(kNextWrapper, other, 1);
  setenv("RUSTC_WRAPPER", wrapper.c_str(), 1);
  return become_or_fail(words_of("NOPHOOK_CARGO", "cargo") + arguments);
}

Result<int> wrap_rustc(const Arguments &arguments) {
  if (arguments.empty())
    return Error{"nophook-rustc", "", "no compiler is named: cargo does", kExitUsage};
  const Arguments compiler = words_of(kNextWrapper, "") + Arguments{arguments.front()};
  const Arguments rest(arguments.begin() + 1, arguments.end());
  if (rest == Arguments{"-vV"}) {
    const int status = run(compiler + rest);
    fmt::print("nophook: {}\n", NOPHOOK_VERSION);
    return status;
  }
  if (is_in_build_script())
    return become_or_fail(compiler + rest);
  return compile(compiler, rest);
}

} // namespace nophook
