// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/installation.h"

#include <filesystem>
#include <initializer_list>

namespace nophook {

namespace {

namespace fs = std::filesystem;

#define INSTALLED_LIB NOPHOOK_BIN_TO_LIB "/" // as configured, e.g. ../lib/x86_64-linux-gnu

Result<std::string> find(const char *what, std::initializer_list<const char *> places) {
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error)
    return error_at("/proc/self/exe", error.message());
  for (const char *place : places)
    if (fs::path path = (self.parent_path() / place).lexically_normal(); fs::exists(path, error))
      return path.string();
  fs::path wanted = (self.parent_path() / *places.begin()).lexically_normal();
  return error_at(wanted.string(), std::string(what) + " is missing");
}

} // namespace

Result<std::string> find_plugin() {
  return find("the plugin", {INSTALLED_LIB "nophook/NophookPass.so", "../lib/NophookPass.so"});
}

Result<std::string> find_ctf_writer() {
  return find("the writer of this format",
              {INSTALLED_LIB "nophook/nophook_ctf.so", "../lib/nophook_ctf.so"});
}

Result<std::string> find_module() {
  return find("the module object",
              {INSTALLED_LIB "nophook/nophook_module.o", "../lib/nophook_module.o"});
}

Result<std::string> find_linker_script() {
  return find("the linker script", {"../share/nophook/ftrace.lds"});
}

Result<std::string> find_runtime() {
  return find("the runtime", {INSTALLED_LIB "libnophook.so", INSTALLED_LIB "libnophook.so.0",
                              "../lib/libnophook.so"});
}

Result<std::string> find_runtime_archive() {
  return find("the runtime's archive", {INSTALLED_LIB "libnophook.a", "../lib/libnophook.a"});
}

Result<std::string> find_recordmcount() {
  return find("the command", {"recordmcount"});
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
