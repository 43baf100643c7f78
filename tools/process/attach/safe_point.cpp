// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges the frames of a stack, from the innermost to the thread's first, by lists of functions.

#include "process/attach/safe_point.h"

#include "read/symbols/site_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <linux/auxvec.h>
#include <sys/syscall.h>

namespace nophook {
namespace {

// Calls that a thread sleeps in. The C library makes none of them while it holds a lock that the
// loader or malloc takes.
constexpr long kSleeps[] = {
#ifdef SYS_poll
    SYS_poll,          SYS_select,          SYS_pause,
    SYS_epoll_wait,    SYS_accept,
#endif
    SYS_ppoll,         SYS_pselect6,        SYS_epoll_pwait,
    SYS_epoll_pwait2,  SYS_accept4,         SYS_connect,
    SYS_recvfrom,      SYS_recvmsg,         SYS_recvmmsg,
    SYS_sendto,        SYS_sendmsg,         SYS_sendmmsg,
    SYS_read,          SYS_readv,           SYS_write,
    SYS_writev,        SYS_splice,          SYS_flock,
    SYS_fcntl,         SYS_nanosleep,       SYS_clock_nanosleep,
    SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_wait4,
    SYS_waitid,        SYS_semop,           SYS_semtimedop,
    SYS_msgrcv,        SYS_msgsnd,          SYS_io_getevents,
    SYS_io_pgetevents, SYS_io_uring_enter,  SYS_mq_timedreceive,
    SYS_mq_timedsend};

// Calls made for locks, too, or after a stop. The function of the C library that the program has
// called decides.
constexpr long kWaits[] = {SYS_futex, SYS_restart_syscall};
constexpr std::string_view kWaiters[] = {"pthread_cond_wait",
                                         "pthread_cond_timedwait",
                                         "pthread_cond_clockwait",
                                         "cnd_wait",
                                         "cnd_timedwait",
                                         "sem_wait",
                                         "sem_timedwait",
                                         "sem_clockwait",
                                         "new_sem_wait",
                                         "new_sem_wait_slow64",
                                         "new_sem_timedwait",
                                         "pthread_join",
                                         "pthread_timedjoin_np",
                                         "pthread_clockjoin_np",
                                         "thrd_join",
                                         "pthread_barrier_wait",
                                         "aio_suspend",
                                         "poll",
                                         "nanosleep",
                                         "clock_nanosleep",
                                         "usleep",
                                         "sleep",
                                         "thrd_sleep"};
// Functions that wait for locks. A thread that waits there waits for a lock of the program's own,
// unless its malloc waits.
constexpr std::string_view kLockers[] = {"pthread_mutex_lock",
                                         "pthread_mutex_timedlock",
                                         "pthread_mutex_clocklock",
                                         "mtx_lock",
                                         "mtx_timedlock",
                                         "pthread_rwlock_rdlock",
                                         "pthread_rwlock_timedrdlock",
                                         "pthread_rwlock_clockrdlock",
                                         "pthread_rwlock_wrlock",
                                         "pthread_rwlock_timedwrlock",
                                         "pthread_rwlock_clockwrlock",
                                         "pthread_spin_lock",
                                         "syscall"};
// Functions in which no thread is used, whatever it waits for.
constexpr std::string_view kNever[] = {
    "exit",           "quick_exit",      "abort",       "fork",     "malloc",
    "calloc",         "realloc",         "free",        "memalign", "aligned_alloc",
    "posix_memalign", "dl_iterate_phdr", "pthread_exit"};
// Functions that take no lock: they only read and write memory of their caller's.
constexpr std::string_view kLeaves[] = {"mem", "str", "wmem"};
// Functions in which threads begin.
constexpr std::string_view kBegins[] = {
    "libc_start_main", "libc_start_main_impl", "libc_start_call_main", "start_thread", "clone",
    "clone3"};
constexpr size_t kMostBegins = 2; // frames

template <class List, class T> bool has(const List &list, const T &value) {
  return std::ranges::find(list, value) != std::end(list);
}

using Kind = CodePlaces::Kind;

// A stack, from the innermost frame:
//
//    0 ... inner     the C library's, below a call by the program
//    inner ... outer the program's
//    outer ... last  the C library's, which has begun the thread; and `_start` of the program
struct Parts {
  std::vector<uint64_t> at; // inside the instruction that runs
  std::vector<Kind> kinds;
  size_t inner = 0, outer = 0, last = 0;
};

Parts parts_of(const UnwoundStack &stack, bool is_first, const CodePlaces &places) {
  Parts parts;
  for (const StackFrame &frame : stack.frames) {
    parts.at.push_back(frame.pc - (parts.at.empty() ? 0 : 1));
    parts.kinds.push_back(places.kind_at(parts.at.back()));
  }
  const auto &kinds = parts.kinds;
  parts.last = kinds.size();
  if (is_first && parts.last > 1 && kinds[parts.last - 1] == Kind::kOther &&
      kinds[parts.last - 2] == Kind::kLibc)
    parts.last--;
  while (parts.inner < parts.last && kinds[parts.inner] == Kind::kLibc)
    parts.inner++;
  parts.outer = parts.last;
  while (parts.outer > parts.inner && kinds[parts.outer - 1] == Kind::kLibc)
    parts.outer--;
  return parts;
}

std::string of_libc(const std::string &name) {
  return name.empty() ? "the C library" : fmt::format("{} of the C library", name);
}

std::string danger_of_frames(const Parts &parts, const CodePlaces &places) {
  for (size_t i = 0; i < parts.kinds.size(); i++) {
    if (parts.kinds[i] == Kind::kLoader)
      return "the loader is on its stack";
    if (parts.kinds[i] == Kind::kAllocator)
      return "the library with malloc is on its stack";
    const bool may_be = parts.kinds[i] != Kind::kLibc || i < parts.inner || i >= parts.outer;
    const std::string name =
        parts.kinds[i] == Kind::kLibc ? places.libc_function(parts.at[i]) : std::string();
    if (!may_be || has(kNever, name) ||
        (i >= parts.outer && i < parts.last && !name.empty() && !has(kBegins, name)))
      return fmt::format("{} is on its stack", of_libc(name));
  }
  if (parts.inner == parts.last || parts.last - parts.outer > kMostBegins)
    return "the C library is on its stack, where the thread begins or ends";
  return "";
}

} // namespace

bool may_be_used_in(long call) {
  return has(kSleeps, call) || has(kWaits, call);
}

std::string danger_of(const UnwoundStack &stack, long call, bool is_first,
                      const CodePlaces &places) {
  if (stack.has_handler)
    return "a signal handler is on its stack";
  const Parts parts = parts_of(stack, is_first, places);
  if (std::string danger = danger_of_frames(parts, places); !danger.empty())
    return danger;
  const std::string caller = parts.inner ? places.libc_function(parts.at[parts.inner - 1]) : "";
  if (call < 0) {
    const bool is_leaf = parts.inner == 1 && std::ranges::any_of(kLeaves, [&](auto begin) {
                           return caller.starts_with(begin);
                         });
    if (parts.inner && !is_leaf)
      return fmt::format("it runs {}", of_libc(caller));
    return places.is_allocator_hidden() ? "it runs, and the program has a malloc of its own" : "";
  }
  if (has(kSleeps, call))
    return "";
  if (!has(kWaits, call))
    return fmt::format("it is in system call {}", call);
  const bool is_own_lock = (!parts.inner || has(kLockers, caller)) && !places.is_allocator_hidden();
  if (has(kWaiters, caller) || is_own_lock)
    return "";
  return fmt::format("it waits in {}",
                     parts.inner ? of_libc(caller) : "a program with a malloc of its own");
}

CodePlaces::CodePlaces(int32_t pid, const ProcessMap &map, const std::vector<LoadedFile> &files,
                       const LoadedFile &libc)
    : libc_bias_(libc.bias), libc_names_(SymbolTable::of(libc.image)),
      is_static_(libc.is_program(pid)) {
  const uint64_t loader = auxiliary_value(pid, AT_BASE);
  for (const LoadedFile &file : files) {
    Kind kind = Kind::kOther;
    if (&file == &libc)
      kind = Kind::kLibc;
    else if (file.contains(loader))
      kind = Kind::kLoader;
    else if (file.exports("malloc") && (file.is_program(pid) || has_sites(file.image)))
      is_allocator_hidden_ = true;
    else if (file.exports("malloc"))
      kind = Kind::kAllocator;
    if (kind != Kind::kOther)
      ranges_.push_back({file.start, file.end, kind});
  }
  for (const MappedRange &range : map.all())
    if (range.name == "[vdso]")
      ranges_.push_back({range.start, range.end, Kind::kLibc});
  if (!is_static_)
    return;
  for (const Site &site : read_sites(libc.image).sites)
    sites_.push_back(site.address);
  for (const Symbol &symbol : libc_names_.all_names())
    is_allocator_hidden_ |= symbol.name == "malloc" && is_own_function(libc_bias_ + symbol.address);
}

bool CodePlaces::is_own_function(uint64_t address) const {
  const Symbol *symbol = libc_names_.covering(address - libc_bias_);
  if (!symbol)
    return false;
  const auto site = std::ranges::lower_bound(sites_, symbol->address);
  return symbol->name == "_start" ||
         (site != sites_.end() && *site - symbol->address < symbol->bytes);
}

CodePlaces::Kind CodePlaces::kind_at(uint64_t address) const {
  for (const Range &range : ranges_)
    if (address >= range.start && address < range.end)
      return is_static_ && range.kind == Kind::kLibc && is_own_function(address) ? Kind::kOther
                                                                                 : range.kind;
  return Kind::kOther;
}

std::string CodePlaces::libc_function(uint64_t address) const {
  const Symbol *symbol = libc_names_.covering(address - libc_bias_);
  std::string_view name = symbol ? symbol->name : std::string_view();
  for (std::string_view prefix : {"__GI_", "__"})
    if (name.starts_with(prefix))
      name.remove_prefix(prefix.size());
  name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
  constexpr std::string_view kInner = "libc_"; // prefix of names that only the C library uses
  if (name.starts_with(kInner) && !name.starts_with("libc_start"))
    name.remove_prefix(kInner.size());
  return std::string(name.substr(0, name.find('.'))); // without a compiler's suffix for copies
}

} // namespace nophook
