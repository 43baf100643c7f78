// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the flags for a command line, one function for each part.

#include "build/cc/flags.h"

#include "machine/machine.h"

#include "foundation/installation.h"

#include <cstdlib>
#include <filesystem>

namespace nophook {

namespace {

using Flags = std::vector<std::string>;

// Passes words to the linker one by one: a comma in a path would cut -Wl, in two. Files take this
// way, too: as files, they would get the language of an -x.
void add_for_linker(std::initializer_list<std::string> words, Flags *flags) {
  for (const std::string &word : words) {
    flags->push_back("-Xlinker");
    flags->push_back(word);
  }
}

// Adds the plugin. The driver does not complain that a link, or assembly, uses none. A run without
// a front end knows -fpass-plugin= only. Both must not be given always: optimization remarks would
// come twice.
Result<> add_plugin(const CommandLine &line, unsigned clang, Flags *flags) {
  auto plugin = find_plugin(clang);
  NOPHOOK_TRY(plugin);
  flags->push_back("-fplugin=" + *plugin);
  if (line.skips_front_end)
    flags->push_back("-fpass-plugin=" + *plugin);
  return Nothing();
}

Result<> add_tables(const CommandLine &line, unsigned clang, Flags *flags) {
  if (line.linker == Linker::kWithoutScripts) {
    auto module = find_module_by_name(line.target);
    NOPHOOK_TRY(module);
    add_for_linker({*module}, flags);
    return Nothing();
  }
  auto script = find_linker_script(), module = find_module(line.target);
  NOPHOOK_TRY(script);
  NOPHOOK_TRY(module);
  add_for_linker({"-T", *script, *module}, flags);
  // The lld that gcc finds may be of any version; older ones warn of it. So does GNU ld for
  // some CPUs.
  bool may_be_old = !clang && line.linker == Linker::kLld;
  const bool cannot =
      line.linker != Linker::kLld && !(line.machine && line.machine->gnu_ld_packs_relocations);
  if (!line.packs_relocations && !may_be_old && !cannot)
    add_for_linker({"-z", "pack-relative-relocs"}, flags);
  // Objects of -flto are optimized by the linker, whether -flto is repeated here or not.
  if (line.linker != Linker::kLld || !clang)
    return Nothing();
  auto plugin = find_plugin(clang);
  NOPHOOK_TRY(plugin);
  add_for_linker({"--load-pass-plugin=" + *plugin}, flags);
  return Nothing();
}

// Adds the runtime. The module's reference is weak and pulls nothing in: an archive needs -u, and a
// library, for which GNU ld does not count a -u, must not be under --as-needed.
Result<> add_runtime(const CommandLine &line, LinkedRuntime runtime, Flags *flags) {
  if (runtime == LinkedRuntime::kStatic || line.is_static) {
    if (line.is_shared)
      return Nothing(); // a process has one runtime: the executable's
    auto archive = find_runtime_archive(line.target);
    NOPHOOK_TRY(archive);
    add_for_linker({"-u", "nophook_register_module", *archive}, flags);
    if (!line.is_static) // needed by libraries that the program loads
      add_for_linker({"--export-dynamic-symbol=nophook_register_module",
                      "--export-dynamic-symbol=nophook_unregister_module"},
                     flags);
    return Nothing();
  }
  auto library = find_runtime(line.target);
  NOPHOOK_TRY(library);
  add_for_linker({"--push-state", "--no-as-needed", *library, "--pop-state"}, flags);
  // A program for another machine does not look for it at a place of this one.
  if (line.target.empty() && !is_loaders_folder(*library))
    add_for_linker({"-rpath", std::filesystem::path(*library).parent_path()}, flags);
  return Nothing();
}

} // namespace

Result<LinkedRuntime> wanted_runtime() {
  const char *variable = std::getenv("NOPHOOK_RUNTIME");
  const std::string value = variable ? variable : "";
  if (value.empty() || value == "0")
    return LinkedRuntime::kNone;
  if (value == "1" || value == "shared")
    return LinkedRuntime::kShared;
  if (value == "static")
    return LinkedRuntime::kStatic;
  return Error{"NOPHOOK_RUNTIME", "", "'" + value + "' is none of 1, shared, static, 0",
               kExitUsage};
}

Result<Flags> flags_for(const CommandLine &line, LinkedRuntime runtime, unsigned clang) {
  Flags flags;
  if (line.links && !line.foreign_target.empty())
    return Error{line.foreign_target, "",
                 "programs for this target cannot be traced, only those for Linux on " +
                     machine_names(" and ") + ": call the compiler itself",
                 kExitUsage};
  if (!line.has_inputs || !line.can_trace)
    return flags;
  if (!line.has_plugin && clang)
    NOPHOOK_TRY(add_plugin(line, clang, &flags));
  if (!line.links || !line.can_link)
    return flags;
  if (!line.has_module)
    NOPHOOK_TRY(add_tables(line, clang, &flags));
  if (runtime != LinkedRuntime::kNone && !line.has_runtime)
    NOPHOOK_TRY(add_runtime(line, runtime, &flags));
  return flags;
}

} // namespace nophook
