// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook ld: the linker, for objects that no wrapper of a compiler has seen.
//
// Some build systems, and the compilers of some languages, have no place for a step between the
// compiler and the linker: rustc, gnatmake and gdc make objects and link them in one run. Only
// there the objects can be caught. recordmcount makes copies of those that need it, which are kept
// for the next link (build/cc/recorded_objects.h). The linker gets these, our linker script and the
// module object, and takes this program's place. All options are the linker's:
//
//   NOPHOOK_LD          the linker; without it the one whose name a link to this command has, or ld
//   NOPHOOK_RUNTIME     links the runtime in, as for nophook cc
//   NOPHOOK_CACHE_SIZE  MiB that copies may take in ~/.cache/nophook

#include "build/cc/flags.h"
#include "build/cc/linker.h"
#include "build/cc/linker_line.h"
#include "build/cc/other_program.h"
#include "build/cc/recorded_objects.h"
#include "foundation/installation.h"
#include "foundation/output.h"
#include "read/symbols/site_guard.h"
#include "verbs.h"

#include <cstring>

namespace nophook {

namespace {

Arguments operator+(Arguments first, const Arguments &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Result<int> become_linker(const Arguments &command) {
  const int problem = become(command);
  return error_at(command.front(), std::string("cannot be executed: ") + std::strerror(problem));
}

// The flags are made for a compiler: -Xlinker is in front of each that is meant for the linker.
Result<Arguments> added_flags(const CommandLine &line) {
  auto runtime = wanted_runtime();
  NOPHOOK_TRY(runtime);
  auto flags = flags_for(line, *runtime, 0);
  NOPHOOK_TRY(flags);
  std::erase(*flags, "-Xlinker");
  return flags;
}

} // namespace

Result<int> link_by(const std::string &name, const Arguments &arguments) {
  auto linker = real_linker(name);
  NOPHOOK_TRY(linker);
  LinkerLine given = read_linker_line(arguments, linker->front());
  if (!given.line.has_inputs || !given.line.can_trace)
    return become_linker(*linker + arguments);
  if (const std::string output = given.line.links ? linked_file(given.words) : ""; !output.empty())
    if (const std::optional<int> status = split()) {
      if (*status == 0)
        warn_of_lost_sites(output);
      return *status;
    }
  auto flags = added_flags(given.line);
  NOPHOOK_TRY(flags);
  auto objects = RecordedObjects::open();
  NOPHOOK_TRY(objects);
  auto paths = objects->of(given.inputs);
  NOPHOOK_TRY(paths);
  for (size_t i = 0; i < given.inputs.size(); i++)
    if (const LinkerInput &input = given.inputs[i]; (*paths)[i] != input.path)
      given.words[input.word] = (*paths)[i];
  Arguments words = *flags + given.words;
  if (given.has_response_file) {
    auto file = as_response_file(words);
    NOPHOOK_TRY(file);
    words = {*file};
  }
  if (objects->is_own()) {
    const int status = run(*linker + words);
    objects->remove_own();
    return status;
  }
  objects->keep_lock_in_linker();
  return become_linker(*linker + words);
}

Result<int> ld_verb(const Arguments &arguments) {
  if (arguments == Arguments{"--print-folder"}) {
    auto folder = find_linker_folder();
    NOPHOOK_TRY(folder);
    fmt::print("{}\n", *folder);
    return kExitOk;
  }
  return link_by("ld", arguments);
}

} // namespace nophook
