// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks one condition after the other, from the cheapest on, and finds the addresses for the call.

#include "process/attach/target.h"

#include "foundation/identity.h"
#include "foundation/installation.h"
#include "foundation/process_user.h"
#include "machine/own_cpu.h"
#include "process/stop/seccomp_filter.h"
#include "process/stop/stopped_thread.h"
#include "read/symbols/site_guard.h"

#include <nophook/runtime.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/auxvec.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

using namespace llvm::ELF;

namespace {

Error refuse(int32_t pid, const std::string &why) {
  return error_at(fmt::format("process {}", pid), why);
}

// Why the kernel would not let us trace the process; empty: no reason is known.
std::string why_untraceable(int32_t pid) {
  if (const std::string tracer = status_field(pid, "TracerPid"); tracer != "0" && !tracer.empty())
    return fmt::format("process {} traces it (a debugger, or strace): end that first", tracer);
  const std::string state = status_field(pid, "State");
  if (state.starts_with("T"))
    return "it is stopped: let it go on (kill -CONT) first";
  if (state.starts_with("Z"))
    return "its main thread has ended, and with it the kernel hides the process's memory and "
           "files: "
           "start it with NOPHOOK=serve";
  constexpr char kLacks[] = "it has capabilities that this command lacks (CAP_SYS_PTRACE would do)";
  if (::access(fmt::format("/proc/{}/exe", pid).c_str(), F_OK) == 0)
    return "";
  if (geteuid() == 0)
    return errno == EACCES || errno == EPERM ? kLacks : "";
  struct stat about;
  const std::string file = fmt::format("/proc/{}/maps", pid); // the folder itself stays its user's
  const auto user = status_field(pid, "Uid");
  int32_t real = -1;
  (void)std::from_chars(user.data(), user.data() + user.size(), real); // -1: not known
  if (real >= 0 && (uid_t)real != geteuid())
    return fmt::format("it belongs to {}: only that user and root may trace it",
                       user_name((uid_t)real));
  if (::stat(file.c_str(), &about) == 0 && about.st_uid != geteuid())
    return "it is not dumpable (prctl PR_SET_DUMPABLE, or its file may not be read): only root may "
           "trace it";
  return kLacks;
}

// The number and the mode of each thread's filters; equal ones once.
std::set<std::string> seccomp_of_threads(int32_t pid) {
  std::set<std::string> all;
  for (const auto &[number, folder] : thread_folders(pid)) {
    if (std::string fields = seccomp_fields(read_small_file(folder + "status")); !fields.empty())
      all.insert(std::move(fields));
  }
  return all;
}

// Why its seccomp filters forbid the attempt, as far as known without reading them; empty: no
// reason.
std::string why_filtered(const std::set<std::string> &threads, TrustedFilter trust) {
  if (std::ranges::any_of(threads, is_strict))
    return kWhyStrict;
  if (trust == TrustedFilter::kYes)
    return "";
  if (threads.size() > 1)
    return "its threads have different seccomp filters, and only one thread's could be judged "
           "(nophook attach --trust-seccomp goes on)";
  if (!may_read_filters())
    return "it has a seccomp filter, which only root may read and which may kill it for a system "
           "call of the runtime's (nophook attach --trust-seccomp goes on)";
  return "";
}

// The ELF class of the program; 0: it cannot be read.
int class_of(int32_t pid) {
  unsigned char ident[EI_NIDENT] = {};
  const FileDescriptor file(::open(fmt::format("/proc/{}/exe", pid).c_str(), O_RDONLY | O_CLOEXEC));
  return file.valid() && read_all_at(file.get(), 0, ident, sizeof ident) ? ident[EI_CLASS] : 0;
}

// The C library among the files. A static program is its own, if that is of use: it loads no
// library, but may have the archive.
const LoadedFile *find_libc(int32_t pid, const std::vector<LoadedFile> &files, bool has_runtime) {
  const bool is_static = !auxiliary_value(pid, AT_BASE) && has_runtime;
  const auto found = std::ranges::find_if(files, [&](const LoadedFile &file) {
    return is_static ? file.is_program(pid) : file.soname() == "libc.so.6";
  });
  return found == files.end() ? nullptr : &*found;
}

// Instructions in the C library's text that we use but must not change.
LibcCode code_of(const LoadedFile &libc) {
  LibcCode code;
  for (const auto &p : libc.image.segments())
    if (p.p_type == PT_LOAD && p.p_flags & PF_X)
      find_code(libc.image.from(p.p_vaddr), libc.bias + p.p_vaddr, &code);
  return code;
}

// The path that the program has for its dynamic linker: the file itself may have another name.
std::string loader_of(int32_t pid, const std::vector<LoadedFile> &files) {
  for (const LoadedFile &file : files)
    for (const auto &p : file.image.segments())
      if (p.p_type == PT_INTERP && file.is_program(pid)) {
        const auto bytes = file.image.from(p.p_vaddr);
        return std::string(bytes.begin(),
                           bytes.begin() + std::min<size_t>(bytes.size(), p.p_filesz));
      }
  return "";
}

// Why the process has no C library that we may call; empty: it has one.
std::string why_no_libc(int32_t pid, const std::vector<LoadedFile> &files, const LoadedFile *libc) {
  if (libc && libc->is_program(pid))
    return "";
  if (!auxiliary_value(pid, AT_BASE))
    return "it is static, and a static program loads no library: link it with the runtime "
           "(NOPHOOK_RUNTIME=static nophook cc)";
  if (loader_of(pid, files).find("/ld-musl-") != std::string::npos)
    return "it runs on musl, and the runtime needs glibc 2.34 or later";
  if (!libc)
    return "it has no libc.so.6: the runtime needs glibc 2.34 or later";
  if (!libc->exports("dlopen"))
    return "its glibc is older than 2.34";
  return "";
}

bool has_same_bytes(const std::string &one, const std::string &other) {
  const auto a = MappedFile::open(one), b = MappedFile::open(other);
  return a && b && std::ranges::equal(a->bytes(), b->bytes());
}

// Finds the runtime's file as the process can open it, or else the file of which it gets a copy.
Result<> find_library(int32_t pid, RemoteEntries *entries) {
  auto runtime = find_runtime();
  NOPHOOK_TRY(runtime);
  const std::string root = fmt::format("/proc/{}/root", pid);
  struct stat link;
  if (has_same_bytes(*runtime, root + *runtime))
    entries->library = *runtime;
  else if (::lstat((root + "/proc/thread-self").c_str(), &link) == 0)
    entries->passed = *runtime;
  else
    return refuse(pid, fmt::format("it does not see {}, and has no /proc by which it could load a "
                                   "copy: put that file there",
                                   printable(*runtime)));
  return {};
}

} // namespace

std::optional<FoundRuntime> find_runtime_in(int32_t pid, const std::vector<LoadedFile> &files) {
  for (const LoadedFile &file : files) {
    const auto note = file.image.note(NOPHOOK_NOTE_NAME, NOPHOOK_RUNTIME_NOTE_TYPE);
    int64_t distance = 0;
    if (!note || note->descriptor.size() != sizeof distance)
      continue;
    std::memcpy(&distance, note->descriptor.data(), sizeof distance);
    FoundRuntime found = {file.name, file.bias + note->address + (uint64_t)distance};
    nophook_runtime_table table;
    if (read_memory(pid, found.table, &table, sizeof table)) {
      found.version = table.version;
      found.wake = file.contains((uint64_t)table.wake) ? (uint64_t)table.wake : 0;
    }
    return found;
  }
  return std::nullopt;
}

Result<Target> Target::of(int32_t pid, TrustedFilter trust) {
  if (process_is_gone(pid))
    return refuse(pid, "there is no such process");
  if (const std::string why = why_untraceable(pid); !why.empty())
    return refuse(pid, why);
  if (class_of(pid) == ELFCLASS32)
    return refuse(pid, "it is a 32-bit program, which the runtime is not made for");
  Target target;
  target.pid = pid;
  target.map = ProcessMap::read(pid);
  auto files = loaded_files(pid, target.map);
  if (files.empty())
    return refuse(pid, "its memory may not be looked at: that takes CAP_SYS_PTRACE");
  bool has_any = false;
  for (const LoadedFile &file : files) {
    const bool has_own = has_sites(file.image);
    has_any |= has_own;
    if (!has_own && &file != &files.front()) // among libraries, only the instrumented ones
      continue;
    if (const SiteGuard guard = guard_sites(file.image, read_sites(file.image)); !guard.is_good())
      fmt::print(stderr, "nophook: warning: {}: {}\n", printable(file.name),
                 printable(guard.text()));
  }
  if (!has_any)
    return refuse(pid, "no file that it has loaded has traceable functions (compile it with "
                       "nophook cc)");
  const auto runtime = find_runtime_in(pid, files);
  if (runtime && runtime->version != NOPHOOK_RUNTIME_VERSION)
    return refuse(pid, fmt::format("it has a runtime of another version ({}): restart it",
                                   printable(runtime->name)));
  if (runtime && !runtime->wake) {
    target.lacks = "its dynamic linker has not finished with the runtime";
    return target;
  }
  const LoadedFile *libc = find_libc(pid, files, runtime.has_value());
  if (const std::string why = why_no_libc(pid, files, libc); !why.empty()) {
    if (libc || loader_of(pid, files).find("/ld-linux-") == std::string::npos)
      return refuse(pid, why);
    target.lacks = why;
    return target;
  }
  if (!kShadowStackField.empty() &&
      status_field(pid, std::string(kShadowStackField)).find("shstk") != std::string::npos)
    return refuse(pid, "it has a shadow stack, which a call from outside would not be on");
  const auto seccomp = seccomp_of_threads(pid);
  const bool has_filter = !std::ranges::all_of(seccomp, is_unfiltered);
  if (const std::string why = has_filter ? why_filtered(seccomp, trust) : ""; !why.empty())
    return refuse(pid, why);
  target.judges_filters = trust == TrustedFilter::kNo;
  RemoteEntries &entries = target.entries;
  entries.may_lose_signal = has_filter && !target.judges_filters;
  entries.libc = code_of(*libc);
  entries.errno_location = libc->function("__errno_location");
  if (!entries.libc.is_whole() || !(entries.errno_location || runtime))
    return refuse(pid, "its C library has not the code that a call from outside needs");
  if (runtime) {
    entries.wake = runtime->wake;
  } else {
    NOPHOOK_TRY(find_library(pid, &entries));
    entries.dlopen = libc->function("dlopen");
    entries.dlsym = libc->function("dlsym");
    entries.dlerror = libc->function("dlerror");
  }
  target.places = std::make_unique<CodePlaces>(pid, target.map, files, *libc);
  if (!target.places->has_names())
    return refuse(pid, "its symbols are stripped, and without their names no place in a thread is "
                       "known to be safe: start it with NOPHOOK=serve");
  target.files = std::move(files);
  return target;
}

} // namespace nophook
