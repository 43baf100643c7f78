// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the first folder that is safe and has room; all questions are system calls, since libc's
// functions may be traced.

#include "buffer/folder.h"

#include "base/bytes.h"
#include "base/log.h"
#include "base/syscall.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statfs.h>

namespace nophook {
namespace {

using Path = Text<400>;
constexpr long kReadOnly = 1; // ST_RDONLY, as the kernel has it in f_flags

uint64_t user() {
  return (uint64_t)sys(SYS_geteuid);
}

bool is_read_only(const char *path) {
  struct statfs fs;
  return sys_failed(sys(SYS_statfs, path, &fs)) || (fs.f_flags & kReadOnly);
}

// Makes the folder or takes an existing one that is the user's own. Another user may have been
// faster in a folder that all users can write to.
bool own_folder(const char *path) {
  long made = sys(SYS_mkdirat, AT_FDCWD, path, 0700);
  if (!sys_failed(made))
    return true;
  struct stat st;
  return made == -EEXIST &&
         !sys_failed(sys(SYS_newfstatat, AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW)) &&
         S_ISDIR(st.st_mode) && st.st_uid == user() && (st.st_mode & 0777) == 0700 &&
         !is_read_only(path);
}

// Whether the folder is this user's: a folder's owner may exchange the files in it. XDG_RUNTIME_DIR
// is another user's where sudo keeps it.
bool belongs_to_us(const char *path) {
  struct stat st;
  return !sys_failed(sys(SYS_newfstatat, AT_FDCWD, path, &st, 0)) && st.st_uid == user();
}

// Whether the file system has room. A buffer takes a third of the free space, and at least 1 MiB.
// In a container /dev/shm may have 64 KiB in all.
bool has_room(const char *path) {
  constexpr uint64_t kLeastFreeKib = 4096;
  const uint64_t free = free_kib(path);
  if (free >= kLeastFreeKib)
    return true;
  LogText line;
  log_line(line.add(path)
               .add(" has only ")
               .number(free)
               .add(" KiB free: it takes no buffers if another folder has room (set buffer_dir to "
                    "choose one)"));
  return false;
}

bool take(const Path &candidate, bool needs_room, char *path, size_t bytes) {
  if (candidate.size() + 1 > bytes || !own_folder(candidate.c_str()) ||
      (needs_room && !has_room(candidate.c_str())))
    return false;
  copy_bytes(path, candidate.c_str(), candidate.size() + 1);
  return true;
}

} // namespace

Status find_buffer_folder(char *path, size_t bytes) {
  const char *runtime = getenv("XDG_RUNTIME_DIR");
  Path first, second, third;
  if (runtime && runtime[0] == '/' && text_length(runtime) < 300 && belongs_to_us(runtime))
    first.add(runtime).add("/nophook");
  second.add("/dev/shm/nophook-").number(user());
  third.add("/tmp/nophook-").number(user());
  const Path *const candidates[] = {&first, &second, &third};
  bool found = false;
  // If no folder has room, the first one is named in the message.
  for (int round = 0; round < 2; round++)
    for (const Path *candidate : candidates)
      found = found || (candidate->size() && take(*candidate, round == 0, path, bytes));
  return found ? Status{} : failure(EACCES, "this user has no folder for buffers: set buffer_dir");
}

void look_at_chosen_folder(const char *path) {
  struct stat st;
  if (sys_failed(sys(SYS_newfstatat, AT_FDCWD, path, &st, 0)))
    return; // the making of the buffer will report it
  const bool is_others = st.st_uid != user() && st.st_uid != 0;
  if (is_others || ((st.st_mode & S_IWOTH) && !(st.st_mode & S_ISVTX)))
    log_line(
        LogText()
            .add("buffer_dir=")
            .add(path)
            .add(is_others ? " belongs to another user, who" : ": all users may write to it, and")
            .add(" can remove or replace the buffer (a folder that is closed to others prevents "
                 "that)"));
}

uint64_t free_kib(const char *path) {
  struct statfs fs;
  if (sys_failed(sys(SYS_statfs, path, &fs)))
    return 0;
  return (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize / 1024;
}

} // namespace nophook
