// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds files in the build tree's layout, then in the installed one's.

#include "foundation/installation.h"

#include <filesystem>
#include <vector>

namespace nophook {

namespace {

namespace fs = std::filesystem;

#define INSTALLED_LIB NOPHOOK_BIN_TO_LIB "/" // as configured, e.g. ../lib/x86_64-linux-gnu

Result<std::string> find(const std::string &what, const std::vector<std::string> &places) {
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error)
    return error_at("/proc/self/exe", error.message());
  for (const std::string &place : places)
    if (fs::path path = (self.parent_path() / place).lexically_normal(); fs::exists(path, error))
      return path.string();
  fs::path wanted = (self.parent_path() / places.front()).lexically_normal();
  return error_at(wanted.string(), what + " is missing");
}

// Finds a file of another target, installed or of a build for it. The module object is built with
// ours.
Result<std::string> find_of_target(const std::string &what, const std::string &target,
                                   const std::string &name) {
  const std::string cpu = target.substr(0, target.find('-'));
  auto found = find(what, {INSTALLED_LIB "nophook/" + target + "/" + name,
                           "../lib/" + target + "/" + name, "../" + cpu + "/lib/" + name});
  if (!found)
    return error_at(found.error().file, what + " for " + target +
                                            " is missing: install it there, or build it: ./do "
                                            "build --target " +
                                            cpu);
  return found;
}

Result<std::string> find_module_named(const std::string &name, const std::string &target) {
  if (!target.empty())
    return find_of_target("the module object", target, name);
  return find("the module object", {INSTALLED_LIB "nophook/" + name, "../lib/" + name});
}

} // namespace

Result<std::string> find_plugin(unsigned llvm) {
  const std::string folder = llvm == NOPHOOK_LLVM ? "" : "llvm-" + std::to_string(llvm) + "/";
  return find("the plugin", {INSTALLED_LIB "nophook/" + folder + "NophookPass.so",
                             "../lib/" + folder + "NophookPass.so"});
}

Result<std::string> find_ctf_writer() {
  return find("the writer of this format",
              {INSTALLED_LIB "nophook/nophook_ctf.so", "../lib/nophook_ctf.so"});
}

Result<std::string> find_module(const std::string &target) {
  return find_module_named("nophook_module.o", target);
}

Result<std::string> find_module_by_name(const std::string &target) {
  return find_module_named("nophook_module_by_name.o", target);
}

Result<std::string> find_linker_script() {
  return find("the linker script", {"../share/nophook/ftrace.lds"});
}

Result<std::string> find_runtime(const std::string &target) {
  if (!target.empty())
    return find_of_target("the runtime", target, "libnophook.so");
  return find("the runtime", {INSTALLED_LIB "libnophook.so", INSTALLED_LIB "libnophook.so.0",
                              "../lib/libnophook.so"});
}

Result<std::string> find_runtime_archive(const std::string &target) {
  if (!target.empty())
    return find_of_target("the runtime's archive", target, "libnophook.a");
  return find("the runtime's archive", {INSTALLED_LIB "libnophook.a", "../lib/libnophook.a"});
}

Result<std::string> find_recordmcount() {
  return find("the command", {"recordmcount"});
}

Result<std::string> find_linker_folder() {
  return find("the folder of linkers", {INSTALLED_LIB "nophook/linkers", "../lib/linkers"});
}

Result<std::string> find_python_module() {
  return find("the Python module", {"../share/nophook/python/nophook.py"});
}

Result<std::string> find_livepatch_header() {
  return find("the header", {"../include/livepatch.h"});
}

Result<std::string> find_view_page() {
  return find("the page", {"../share/nophook/view"});
}

bool is_loaders_folder(const std::string &library) {
  fs::path folder = fs::path(library).parent_path();
  if (folder.filename().string().ends_with("-linux-gnu"))
    folder = folder.parent_path();
  return folder == "/lib" || folder == "/usr/lib" || folder == "/lib64" || folder == "/usr/lib64";
}

} // namespace nophook
