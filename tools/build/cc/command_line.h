// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The actions that a compiler's command line requests, which decide which of our flags belong on
// it. gcc's options are mostly clang's.
//
// Adding all flags always would break builds: an object to link turns `-v` into a link, a linker
// flag beside `-c` is a warning and so, under -Werror, an error. Asking the compiler itself (-###)
// starts it twice for every file. So the line is read here, with clang's own tables.

#pragma once

#include <string>
#include <vector>

namespace nophook {

struct Machine; // machine/machine.h

enum class Linker { kGnu, kLld, kWithoutScripts };

struct CommandLine {
  bool has_inputs = false; // whether there are inputs: it is no mere question, like --version
  bool links = false;      // whether it runs the linker, and not for -r
  // Whether it optimizes in a run without the front end: -save-temps, IR files.
  bool skips_front_end = false;
  bool is_shared = false;         // -shared
  bool is_static = false;         // -static, -static-pie
  bool can_trace = true;          // whether the plugin knows the target
  bool can_link = true;           // whether there is a module object for the target
  bool packs_relocations = false; // whether the user has chosen the packing of relative relocations
  // Whether our own flags are given already.
  bool has_plugin = false, has_module = false, has_runtime = false;
  Linker linker = Linker::kGnu;
  std::string linker_name;
  std::string target; // another target than this machine's, like aarch64-linux-gnu; or empty
  std::string foreign_target;     // a named target that we cannot link for
  std::vector<std::string> lists; // files that decide what is instrumented

  // The fields below are for gcc, whose objects take one step more.
  std::vector<std::string> objects; // objects that -c makes, as far as they are made from sources
  bool runs_linker = false;         // whether the linker runs, also for -r
  bool has_sources = false;   // whether it compiles or assembles, for an object or for the linker
  bool has_languages = false; // whether a source is not merely assembly
  bool precompiles = false;   // whether it makes a precompiled header
  bool has_lto = false;       // -flto
  bool has_pipe = false;      // -pipe
  bool is_large = false;      // -mcmodel=large: no call has 5 bytes
  const Machine *machine = nullptr; // the target's; null: none of ours
};

// `arguments`: the words behind the compiler's name; response files are read. `gcc`: that name if
// it is one of gcc's, which have some options more, and the target in front of the name.
CommandLine read_command_line(const std::vector<std::string> &arguments,
                              const std::string &gcc = "");

// The file that a link makes; empty: a response file may name it.
std::string linked_file(const std::vector<std::string> &arguments);

// Whether the path is our module object's, for linkers that read the script or for the others.
bool is_module_object(std::string_view path);

// The arguments with the contents of response files in their place, without -pipe.
std::vector<std::string> without_pipe(const std::vector<std::string> &arguments);

} // namespace nophook
