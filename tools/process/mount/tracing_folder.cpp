// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the namespaces, hides the kernel's mounts, and covers files with copies in memory.

#include "process/mount/tracing_folder.h"

#include "foundation/file.h"
#include "process/drain/mapped_modules.h"
#include "process/mount/host_needs.h"
#include "read/symbols/symbol_table.h"
#include "show/live/kernel_symbols.h"

#include <nophook/buffer.h>

#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <mntent.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

namespace {

bool write_file(const std::string &path, const std::string &text) {
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  return file.valid() && write_all(file.get(), text.data(), text.size());
}

// Root of a user namespace may mount, and owns the user's own files.
bool become_root() {
  uid_t user = geteuid();
  gid_t group = getegid();
  return ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
         write_file("/proc/self/setgroups", "deny") &&
         write_file("/proc/self/uid_map", fmt::format("0 {} 1", user)) &&
         write_file("/proc/self/gid_map", fmt::format("0 {} 1", group));
}

bool is_tracefs_there() {
  std::string mounts = read_small_file("/proc/self/mounts");
  return mounts.find(fmt::format(" {} tracefs ", kTracingFolder)) != std::string::npos;
}

constexpr const char *kKernelFolder = "/sys/kernel", *kDebugFolder = "/sys/kernel/debug";

// The places where the kernel's tracing is mounted, other than those below kKernelFolder.
std::vector<std::string> other_mounts() {
  std::unique_ptr<FILE, int (*)(FILE *)> list(::setmntent("/proc/self/mounts", "re"), ::endmntent);
  std::vector<std::string> paths;
  while (const mntent *mount = list ? ::getmntent(list.get()) : nullptr) {
    std::string_view type = mount->mnt_type, path = mount->mnt_dir;
    if ((type == "tracefs" || type == "debugfs") && !path.starts_with("/sys/kernel/"))
      paths.emplace_back(path);
  }
  return paths;
}

// Leaves the kernel's tracefs and debugfs in the list of mounts, where no path leads to them. The
// mounts that a user namespace has from its parent cannot be unmounted: they stay below ours, and
// the same users as before may read them.
Result<> hide_kernel_tracing() {
  for (const std::string &path : other_mounts())
    // A mount that cannot be unmounted is covered below.
    (void)::umount2(path.c_str(), MNT_DETACH | UMOUNT_NOFOLLOW);
  if (::mount(kKernelFolder, kKernelFolder, nullptr, MS_BIND | MS_REC, nullptr) != 0)
    return system_error(kKernelFolder, "cannot be mounted over");
  for (const char *folder : {kTracingFolder, kDebugFolder})
    while (::umount2(folder, MNT_DETACH | UMOUNT_NOFOLLOW) == 0) {
    }
  if (::access(kDebugFolder, F_OK) != 0)
    return {}; // this kernel has no debugfs
  std::string link = std::string(kDebugFolder) + "/tracing";
  if (::mount("tmpfs", kDebugFolder, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=755") != 0 ||
      ::symlink("../tracing", link.c_str()) != 0)
    return system_error(kDebugFolder, "cannot be mounted over");
  return {};
}

// A name of one word: C++ names with blanks stay mangled.
std::string one_word(std::string_view symbol) {
  std::string name = short_name(symbol);
  return name.find_first_of(" \t\n") == std::string::npos ? name : std::string(symbol);
}

// The process's functions in the form of the kernel's /proc/kallsyms.
std::string symbol_list(int32_t pid) {
  std::string list;
  for (const std::string &record :
       mapped_modules(read_small_file(fmt::format("/proc/{}/maps", pid)))) {
    nophook_map map;
    std::memcpy(&map, record.data(), sizeof map);
    std::string path = record.c_str() + sizeof map;
    auto image = ElfImage::open(path);
    if (!image)
      continue;
    SymbolTable symbols = SymbolTable::of(*image);
    for (const Symbol &symbol : symbols.all_names())
      list += fmt::format("{:016x} T {}\t[{}]\n", map.bias + symbol.address, one_word(symbol.name),
                          path.substr(path.rfind('/') + 1));
  }
  return list + mark_writer_symbol();
}

// Covers a file, if it exists.
void cover(const std::string &folder, const char *path, const std::string &text) {
  std::string copy = folder + "/" + (std::strrchr(path, '/') + 1);
  if (::access(path, F_OK) == 0 && write_file(copy, text))
    // If this fails, the kernel's file is seen.
    (void)::mount(copy.c_str(), path, nullptr, MS_BIND, nullptr);
}

} // namespace

Result<> make_tracing_folder(int32_t pid) {
  std::string symbols = symbol_list(pid);
  if (::unshare(CLONE_NEWNS) != 0 && !become_root())
    return error_at(kTracingFolder, missing_user_namespace(errno));
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return error_at(kTracingFolder, missing_user_namespace(errno));
  if (::access(kTracingFolder, F_OK) != 0)
    return error_at(kTracingFolder, missing_tracefs(kTracingFolder, errno));
  if (!is_tracefs_there() &&
      ::mount("tracefs", kTracingFolder, "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0)
    return error_at(kTracingFolder, missing_tracefs(kTracingFolder, errno));
  NOPHOOK_TRY(hide_kernel_tracing());
  // The covering files are in memory, and no path leads to them in the end.
  char folder[] = "/tmp/nophook-XXXXXX";
  if (!::mkdtemp(folder) || ::mount("tmpfs", folder, "tmpfs", 0, "mode=700") != 0)
    return system_error(folder, "cannot be made");
  cover(folder, "/proc/kallsyms", symbols);
  cover(folder, "/proc/sys/kernel/kptr_restrict", "0\n");
  cover(folder, "/proc/sys/kernel/ftrace_enabled", "1\n");
  cover(folder, "/proc/sys/kernel/stack_tracer_enabled", "0\n");
  ::umount2(folder, MNT_DETACH);
  ::rmdir(folder);
  return {};
}

} // namespace nophook
