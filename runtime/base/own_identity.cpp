// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the process's numbers in a page that the kernel zeroes in a fork child, and asks libc or
// the kernel when they are not known.

#include "base/own_identity.h"

#include "arch/arch.h"
#include "base/few_calls.h"
#include "base/keep_vectors.h"
#include "base/proc.h"
#include "base/signals.h"
#include "base/wiped_pages.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

namespace nophook {
namespace {

// Facts about this process, zeroed by the kernel in a fork child. A field of 0 is not known.
struct OwnPage {
  int32_t owner;
  bool was_forked;
  bool libc_knows; // whether libc knows which thread this is: libc has made the process
  uint64_t start_ticks;
  uint64_t namespace_known;   // the process's namespace; stored by the first thread that needs it
  uint64_t parents_namespace; // the parent's namespace, as the parent knew it when it forked
  uint64_t forked_at;         // time of the fork, by the CPU's counter
};
OwnPage *g_page = nullptr;

// libc's functions by their addresses: the first call through a lazy PLT entry takes 3 KiB of
// stack.
pthread_t (*volatile g_self)() = pthread_self;
int (*volatile g_clock_of)(pthread_t, clockid_t *) = pthread_getcpuclockid;

// The thread's number, and the process in which libc has reported it; 0: not asked yet.
struct KnownThread {
  int32_t process, tid;
  bool is_asking; // whether the thread is asking: a traced function stands in front of libc's
};
constinit thread_local KnownThread g_known __attribute__((tls_model("initial-exec"))) = {};

// glibc and musl keep a thread's number in its storage. The clock that pthread_getcpuclockid()
// makes of it has ~tid above its three lowest bits: Linux's clockids. kLent: no answer.
int32_t ask_libc() {
  int32_t tid = kLent;
  keep_vectors([&tid] {
    clockid_t clock;
    if (g_clock_of(g_self(), &clock) == 0)
      tid = ~(clock >> 3);
  });
  return tid > 0 ? tid : kLent;
}

int32_t own_number() {
  return (int32_t)sys(SYS_getpid);
}

// A child that was made without libc, and so without fork handlers, learns its number here.
int32_t owner() {
  OwnPage *page = __atomic_load_n(&g_page, __ATOMIC_ACQUIRE);
  if (!page)
    return own_number();
  int32_t *at = &page->owner;
  int32_t number = __atomic_load_n(at, __ATOMIC_RELAXED);
  if (number)
    return number;
  int32_t mine = own_number();
  return __atomic_compare_exchange_n(at, &number, mine, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
             ? mine
             : number;
}

// The present time as /proc/PID/stat rounds it, by the clock that continues while the machine
// sleeps, in the process's own time namespace.
uint64_t ticks_now() {
  constexpr uint64_t kBootTime = 7, kPerSecond = 100, kTickNs = 1000000000 / kPerSecond;
  uint64_t now[2] = {};
  sys(SYS_clock_gettime, kBootTime, now); // cannot fail
  return now[0] * kPerSecond + now[1] / kTickNs;
}

// Field 22 of stat, which begins within the first 400 bytes; 0: unknown. qemu-user answers for
// /proc/self/stat itself, with the time of the execve(), and for no longer path.
__attribute__((noinline)) uint64_t read_start_ticks() {
  char text[400];
  long fd = sys(SYS_openat, AT_FDCWD, "/proc/self/task/../stat", O_RDONLY | O_CLOEXEC);
  if (sys_failed(fd))
    return 0;
  long bytes = sys(SYS_read, fd, text, sizeof text - 1);
  sys(SYS_close, fd);
  text[sys_failed(bytes) ? 0 : bytes] = 0;
  const char *start = stat_field(text, 22);
  return start ? number_at(start, 10) : 0;
}

// A function of its own, as its caller's stack may be small.
__attribute__((noinline)) uint64_t read_namespace() {
  struct stat about;
  bool failed = sys_failed(sys(SYS_newfstatat, AT_FDCWD, "/proc/self/ns/pid", &about, 0));
  return failed ? 0 : about.st_ino;
}

uint64_t start_ticks(const OwnPage *page) {
  return page && page->start_ticks ? page->start_ticks : read_start_ticks();
}

uint64_t pid_namespace(OwnPage *page) {
  uint64_t known = page ? __atomic_load_n(&page->namespace_known, __ATOMIC_RELAXED) : 0;
  if (known)
    return known;
  uint64_t parents = page ? page->parents_namespace : 0;
  uint64_t found = parents && sys(SYS_getppid) > 0 ? parents : read_namespace();
  if (page)
    __atomic_store_n(&page->namespace_known, found, __ATOMIC_RELAXED);
  return found;
}

} // namespace

void prepare_identity(void *place) {
  static_assert(sizeof(OwnPage) <= kIdentityBytes);
  if (g_page)
    return;
  void *page = place;
  if (!page && !map_wiped(sizeof(OwnPage), "", &page).ok())
    return;
  static_cast<OwnPage *>(page)->owner = own_number();
  static_cast<OwnPage *>(page)->libc_knows = true;
  __atomic_store_n(&g_page, static_cast<OwnPage *>(page), __ATOMIC_RELEASE);
}

// A vfork child has its parent's page, but it may be in another namespace.
void identity_before_fork(Forking *forking) {
  bool is_known = g_page && !is_vfork_child();
  forking->pid_namespace =
      is_known ? __atomic_load_n(&g_page->namespace_known, __ATOMIC_RELAXED) : 0;
  forking->ticks = ticks_now();
}

void identity_follows_fork(const Forking &forking) {
  OwnPage *page = g_page;
  if (!page)
    return;
  page->was_forked = page->libc_knows = true;
  g_known = {};
  page->start_ticks = forking.ticks == ticks_now() ? forking.ticks : 0;
  page->parents_namespace = forking.pid_namespace;
  page->forked_at = Arch::read_counter();
  __atomic_store_n(&page->owner, own_number(), __ATOMIC_RELAXED);
}

bool was_forked() {
  const OwnPage *page = __atomic_load_n(&g_page, __ATOMIC_ACQUIRE);
  return page && page->was_forked;
}

uint64_t forked_at() {
  const OwnPage *page = __atomic_load_n(&g_page, __ATOMIC_ACQUIRE);
  return page ? page->forked_at : 0;
}

int32_t process_id() {
  return owner();
}

int32_t thread_id() {
  return (int32_t)sys(SYS_gettid);
}

// Not by gettid, which OpenSSH's sandbox kills for.
int32_t own_thread_id() {
  const OwnPage *page = __atomic_load_n(&g_page, __ATOMIC_ACQUIRE);
  if (!page || !page->libc_knows || is_vfork_child())
    return thread_id();
  const int32_t process = page->owner;
  if (g_known.process != process) {
    if (g_known.is_asking)
      return thread_id();
    g_known.is_asking = true;
    const int32_t tid = ask_libc();
    g_known = {tid == kLent ? 0 : process, tid, false};
  }
  return g_known.process ? g_known.tid : thread_id();
}

// The number in the thread's storage, which vfork leaves as it is.
int32_t storage_thread_id() {
  const int32_t process = owner(), own = own_number();
  if (process == own)
    return own_thread_id();
  // Where a traced function stands in front of libc's, its first callback would ask again.
  static int32_t asking = 0; // a vfork child, which has one thread
  if (__atomic_exchange_n(&asking, own, __ATOMIC_RELAXED) == own)
    return kLent;
  const int32_t tid = ask_libc();
  __atomic_store_n(&asking, 0, __ATOMIC_RELAXED);
  const long answer = tid > 0 ? sys(SYS_tgkill, process, tid, 0) : -ESRCH;
  return answer == 0 || answer == -EPERM ? tid : kLent; // another user's thread is there, too
}

int32_t lasting_thread_id() {
  const int32_t tid = storage_thread_id();
  return tid == kLent ? owner() : tid;
}

bool is_vfork_child() {
  return owner() != own_number();
}

bool is_thread_gone(int32_t tid) {
  if (has_few_calls())
    return false;
  const int32_t process = owner();
  return (process == own_number() || process == sys(SYS_getppid)) &&
         sys(SYS_tgkill, process, tid, 0) == -ESRCH;
}

// The first answer spares living threads a claim. Only the second one counts: behind the claim
// nobody can take it.
bool take_from_gone(int32_t *owner, int32_t gone, int32_t mine) {
  if (!is_thread_gone(gone))
    return false;
  BlockSignals block(kRaisedByCode); // a handler might not come back here
  if (!__atomic_compare_exchange_n(owner, &gone, kClaimed, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    return false;
  const bool is_gone = is_thread_gone(gone);
  __atomic_store_n(owner, is_gone ? mine : gone, __ATOMIC_RELEASE);
  return is_gone;
}

bool is_process_gone(int32_t pid) {
  return pid > 0 && sys(SYS_kill, pid, 0) == -ESRCH;
}

void signal_own_thread(int signal) {
  sys(SYS_tgkill, own_number(), thread_id(), signal); // cannot fail for the caller itself
}

uint64_t own_pid_namespace() {
  return is_vfork_child() ? 0 : pid_namespace(__atomic_load_n(&g_page, __ATOMIC_ACQUIRE));
}

Birth own_birth() {
  OwnPage *page = __atomic_load_n(&g_page, __ATOMIC_ACQUIRE);
  return is_vfork_child() ? Birth{} : Birth{start_ticks(page), pid_namespace(page)};
}

} // namespace nophook
