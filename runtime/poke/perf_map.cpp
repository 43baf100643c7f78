// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the lines of new islands to /tmp/perf-PID.map, which is opened for each and checked: other
// users can write to /tmp.

#include "poke/perf_map.h"

#include "arch/arch.h"
#include "base/growing_file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/own_identity.h"
#include "base/syscall.h"
#include "sites/module.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

namespace nophook {
namespace {

bool g_is_on = false;
int32_t g_told_by = 0; // the process whose file has what `in_perf_map` of modules says

Status open_map(long *fd) {
  Text<64> path;
  path.add("/tmp/perf-").number((uint64_t)process_id()).add(".map");
  long opened =
      sys(SYS_openat, AT_FDCWD, path.c_str(),
          O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
  if (sys_failed(opened))
    return failure((int)-opened, "/tmp/perf-PID.map cannot be opened");
  struct stat about;
  bool is_ours = !sys_failed(sys(SYS_newfstatat, opened, "", &about, AT_EMPTY_PATH)) &&
                 S_ISREG(about.st_mode) && about.st_uid == (uid_t)sys(SYS_geteuid) &&
                 about.st_nlink == 1;
  if (!is_ours) { // perf ignores such a file, too
    sys(SYS_close, opened);
    return failure(EPERM, "/tmp/perf-PID.map is not this user's file");
  }
  *fd = opened;
  return {};
}

// The file's name, fit for a line.
template <class Text> void add_file_name(Text &line, const char *path) {
  const char *name = path;
  for (const char *at = path; *at; at++)
    if (*at == '/')
      name = at + 1;
  for (; *name; name++)
    line.add((unsigned char)*name < ' ' ? "?" : name, 1);
}

// Hexadecimal without 0x, as the format wants it.
template <class Text> void add_number(Text &line, uint64_t value) {
  nophook::Text<24> digits;
  line.add(digits.hex(value).c_str() + 2).add(" ");
}

Status write_line(long fd, uint64_t start, uint64_t bytes, const char *what, const Module *module) {
  Text<256> line;
  add_number(line, start);
  add_number(line, bytes);
  line.add("nophook_").add(what).add("[");
  add_file_name(line, module->path);
  line.add("]\n");
  long written = sys_growing(SYS_write, fd, line.c_str(), text_length(line.c_str()));
  return sys_failed(written) ? failure((int)-written, "/tmp/perf-PID.map cannot be written")
                             : Status{};
}

// Writes a line for each island of the module that is not listed yet.
Status tell(long fd, Module *module) {
  constexpr uint32_t kStubsBit = kSiteKinds;
  auto is_new = [&](uint32_t bit, uint64_t address) {
    bool told = module->in_perf_map >> bit & 1;
    if (address)
      module->in_perf_map |= (uint16_t)(1u << bit);
    return address && !told;
  };
  for (uint32_t kind = 0; kind < kSiteKinds; kind++)
    if (is_new(kind, module->thunks[kind]))
      NOPHOOK_TRY(write_line(fd, module->thunks[kind], (uint64_t)module->ids * Arch::kThunkBytes,
                             thunks_name((SiteKind)kind), module));
  if (is_new(kStubsBit, module->stubs))
    NOPHOOK_TRY(write_line(fd, module->stubs, kPageBytes, "stubs", module));
  return {};
}

Status tell_all() {
  auto pid = process_id();
  if (g_told_by != pid) // a fork child has a file of its own
    for (Module *m = first_module(); m; m = m->next)
      m->in_perf_map = 0;
  g_told_by = pid;
  long fd;
  NOPHOOK_TRY(open_map(&fd));
  Status status;
  for (Module *m = first_module(); m && status.ok(); m = m->next)
    status = tell(fd, m);
  sys(SYS_close, fd);
  return status;
}

} // namespace

Status set_perf_map(uint64_t on) {
  if (on > 1)
    return failure(EINVAL, "the value must be 0 or 1");
  g_is_on = on;
  return on ? tell_all() : Status{};
}

bool perf_map_is_on() {
  return g_is_on;
}

void tell_perf() {
  if (!g_is_on)
    return;
  Status status = tell_all();
  if (!status.ok()) {
    g_is_on = false;
    log_line(Text<512>().add("perf_map: ").add(status.reason));
  }
}

} // namespace nophook
