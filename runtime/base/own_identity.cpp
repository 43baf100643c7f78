// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/own_identity.h"

#include "base/proc.h"
#include "base/wiped_pages.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

namespace nophook {
namespace {

int32_t *g_owner = nullptr; // in a page that is zeroed in a fork child

int32_t own_number() {
  return (int32_t)sys(SYS_getpid);
}

// A child that was made without libc, and so without fork handlers, learns its number here.
int32_t owner() {
  int32_t *at = __atomic_load_n(&g_owner, __ATOMIC_ACQUIRE);
  if (!at)
    return own_number();
  int32_t number = __atomic_load_n(at, __ATOMIC_RELAXED);
  if (number)
    return number;
  int32_t mine = own_number();
  return __atomic_compare_exchange_n(at, &number, mine, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
             ? mine
             : number;
}

// Field 22 of stat, which begins below that many bytes; 0: nobody knows.
__attribute__((noinline)) uint64_t start_ticks() {
  char text[400];
  long fd = sys(SYS_openat, AT_FDCWD, "/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (sys_failed(fd))
    return 0;
  long bytes = sys(SYS_read, fd, text, sizeof text - 1);
  sys(SYS_close, fd);
  text[sys_failed(bytes) ? 0 : bytes] = 0;
  const char *start = stat_field(text, 22);
  return start ? number_at(start, 10) : 0;
}

} // namespace

void prepare_identity() {
  if (g_owner)
    return;
  void *page;
  if (!map_wiped(sizeof(int32_t), "", &page).ok())
    return;
  *static_cast<int32_t *>(page) = own_number();
  __atomic_store_n(&g_owner, static_cast<int32_t *>(page), __ATOMIC_RELEASE);
}

void identity_follows_fork() {
  if (g_owner)
    __atomic_store_n(g_owner, own_number(), __ATOMIC_RELAXED);
}

int32_t process_id() {
  return owner();
}

int32_t thread_id() {
  return (int32_t)sys(SYS_gettid);
}

int32_t lasting_thread_id() {
  int32_t process = owner();
  return process == own_number() ? thread_id() : process;
}

bool is_vfork_child() {
  return owner() != own_number();
}

bool is_thread_gone(int32_t tid) {
  int32_t mine = own_number();
  return owner() == mine && sys(SYS_tgkill, mine, tid, 0) == -ESRCH;
}

bool is_process_gone(int32_t pid) {
  return pid > 0 && sys(SYS_kill, pid, 0) == -ESRCH;
}

void signal_own_thread(int signal) {
  sys(SYS_tgkill, own_number(), thread_id(), signal); // cannot fail for the caller itself
}

// A fork child's first event comes here, maybe on a small stack.
Birth own_birth() {
  Birth birth = {};
  struct stat about;
  if (is_vfork_child())
    return birth;
  birth.start_ticks = start_ticks();
  if (!sys_failed(sys(SYS_newfstatat, AT_FDCWD, "/proc/self/ns/pid", &about, 0)))
    birth.pid_namespace = about.st_ino;
  return birth;
}

} // namespace nophook
