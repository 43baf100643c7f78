// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of calls with their arguments, each run through the filters.

#include "process/stop/needed_calls.h"

#include "foundation/processor.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

namespace nophook {
namespace {

enum class Need : uint8_t {
  kWorks,  // must succeed, or its failure has no effect
  kEither, // it may fail with an errno: the caller goes another way, or a feature says why it is
           // not
};

constexpr std::nullopt_t any = std::nullopt;
using Arguments = std::array<std::optional<uint64_t>, 6>;

struct NeededCall {
  const char *name;
  Need need;
  CallPattern call;
  const char *detail = "";
};

#define NEEDS(name, ...)                                                                           \
  {                                                                                                \
    #name, Need::kWorks, {                                                                         \
      __NR_##name, Arguments {                                                                     \
        __VA_ARGS__                                                                                \
      }                                                                                            \
    }                                                                                              \
  }
#define NEEDS_WITH(detail, name, ...)                                                              \
  {#name, Need::kWorks, {__NR_##name, Arguments{__VA_ARGS__}}, " (" detail ")"}
#define TRIES(name, ...)                                                                           \
  {                                                                                                \
    #name, Need::kEither, {                                                                        \
      __NR_##name, Arguments {                                                                     \
        __VA_ARGS__                                                                                \
      }                                                                                            \
    }                                                                                              \
  }

constexpr uint32_t kAuditCpu = kOwnProcessor | __AUDIT_ARCH_64BIT | __AUDIT_ARCH_LE;
constexpr uint64_t kPrivate = MAP_PRIVATE | MAP_ANONYMOUS;
constexpr uint64_t kText = PROT_READ | PROT_EXEC, kData = PROT_READ | PROT_WRITE;

// Only these bits are known: systemd's RestrictSUIDSGID decides by the others.
constexpr uint64_t kFileRights = 0600, kFolderRights = 0700;

const NeededCall kCalls[] = {
    // Calls made from outside.
    NEEDS(mmap, any, any, kData, kPrivate | MAP_NORESERVE),
    NEEDS_WITH("PROT_EXEC", mprotect, any, any, kText),
    NEEDS(munmap),
    NEEDS(getpid),
    NEEDS(gettid),
    NEEDS(tgkill, any, any, SIGWINCH),
    NEEDS(tgkill, any, any, SIGURG),
    NEEDS(rt_sigreturn),
    // Calls of the loader, and of malloc below it.
    NEEDS(openat, any, any, O_RDONLY | O_CLOEXEC),
    NEEDS(read),
    NEEDS(newfstatat),
    NEEDS(close),
    NEEDS_WITH("PROT_EXEC", mmap, any, any, kText, MAP_PRIVATE | MAP_DENYWRITE),
    NEEDS(mmap, any, any, kData, MAP_PRIVATE | MAP_FIXED | MAP_DENYWRITE),
    NEEDS(mmap, any, any, kData, kPrivate | MAP_FIXED),
    NEEDS(mprotect, any, any, PROT_READ),
    TRIES(pread64),
    TRIES(fstat),
    TRIES(brk),
    TRIES(getrandom),
    // Calls of a new thread of the runtime's.
    NEEDS(mmap, any, any, PROT_NONE, kPrivate | MAP_STACK),
    NEEDS(mprotect, any, any, kData),
    NEEDS(rt_sigprocmask),
    NEEDS(rseq),
    NEEDS(exit),
    TRIES(set_robust_list),
    TRIES(sched_getaffinity),
    // Calls of the runtime, until it serves and calls are traced.
    NEEDS(prctl, PR_SET_NAME),
    NEEDS(prctl, PR_GET_NAME),
    NEEDS(futex),
    NEEDS(nanosleep),
    NEEDS(openat, any, any, any, kFileRights),
    NEEDS(write),
    NEEDS(pwrite64),
    NEEDS(ftruncate),
    NEEDS(fallocate),
    NEEDS(flock),
    NEEDS(madvise),
    NEEDS(mmap, any, any, kData, MAP_SHARED | MAP_NORESERVE),
    NEEDS(mmap, any, any, PROT_READ, MAP_PRIVATE),
    NEEDS(membarrier),
    NEEDS(geteuid),
    NEEDS(statfs),
    NEEDS(unlinkat),
    NEEDS(renameat),
    NEEDS(mkdirat, any, any, kFolderRights),
    NEEDS(close_range),
    NEEDS(dup),
    NEEDS(socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
    NEEDS(bind),
    NEEDS(fchmodat, any, any, kFileRights),
    NEEDS(listen),
    NEEDS(accept4),
    NEEDS(getsockopt, any, SOL_SOCKET, SO_PEERCRED),
    NEEDS(recvfrom),
    NEEDS(sendto),
    NEEDS(ppoll),
    // Calls that it can do without, or that only some features make.
    TRIES(clock_gettime),
    TRIES(faccessat),
    TRIES(fstatfs),
    TRIES(get_robust_list),
    TRIES(getcpu),
    TRIES(pselect6),
    TRIES(shmdt),
    TRIES(getcwd),
    TRIES(getdents64),
    TRIES(getppid),
    TRIES(getrusage),
    TRIES(ioctl),
    TRIES(kill, any, 0),
    TRIES(linkat),
    TRIES(lseek),
    TRIES(mprotect, any, any, PROT_READ | PROT_WRITE | PROT_EXEC),
    TRIES(mprotect, any, any, PROT_NONE),
    TRIES(mremap),
    TRIES(perf_event_open),
    TRIES(prctl, PR_GET_TSC),
    TRIES(process_vm_readv),
    TRIES(readlinkat),
    TRIES(rt_sigaction),
    TRIES(rt_sigpending),
    TRIES(rt_sigtimedwait),
    TRIES(sched_yield),
    TRIES(sigaltstack),
};

// The short list of docs/limits.md: calls that a traced thread may make at any event.
const NeededCall kOfEvents[] = {
    TRIES(clock_gettime, CLOCK_MONOTONIC),
    TRIES(clock_gettime, CLOCK_REALTIME),
    TRIES(close),
    TRIES(futex, any, FUTEX_WAKE_PRIVATE),
    TRIES(getpid),
    TRIES(madvise),
    TRIES(mmap, any, any, kData, kPrivate | MAP_NORESERVE),
    TRIES(mremap),
    TRIES(munmap),
    TRIES(nanosleep),
    TRIES(openat),
    TRIES(pselect6),
    TRIES(rt_sigprocmask),
};

const NeededCall kCopy = NEEDS(memfd_create); // and pwrite64, which is above
// The C library makes a thread by the first call, or by the second where the first is missing.
const NeededCall kNewClone = NEEDS(clone3);
const NeededCall kClone =
    NEEDS(clone, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                     CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID);
const NeededCall kGoOn = NEEDS(restart_syscall);

uint32_t action_on(std::span<const SeccompFilter> filters, const NeededCall &needed) {
  return worst_action(filters, kAuditCpu, needed.call);
}

bool is_allowed(uint32_t action) {
  const uint32_t kind = action & SECCOMP_RET_ACTION_FULL;
  return kind == SECCOMP_RET_ALLOW || kind == SECCOMP_RET_LOG;
}

bool fails_with(uint32_t action, uint32_t *error) {
  *error = action & SECCOMP_RET_DATA;
  return (action & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO;
}

bool kills(uint32_t action) {
  return (int32_t)(action & SECCOMP_RET_ACTION_FULL) <= (int32_t)SECCOMP_RET_TRAP;
}

std::string why(const NeededCall &needed, uint32_t action) {
  uint32_t error = 0;
  const bool fails = fails_with(action, &error);
  if (is_allowed(action) || (fails && error != 0 && needed.need == Need::kEither))
    return "";
  const std::string call = fmt::format("{}{}", needed.name, needed.detail);
  if (fails)
    return fmt::format("its seccomp filter lets {} fail ({}), which loading the runtime takes",
                       call, error ? std::strerror((int)error) : "without an error");
  return fmt::format(
      "its seccomp filter {} {}, which the runtime calls",
      kills(action) ? "may kill it for" : "leaves it to another process to decide about", call);
}

} // namespace

bool may_go_on(std::span<const SeccompFilter> filters) {
  return is_allowed(action_on(filters, kGoOn));
}

std::string why_filtered(std::span<const SeccompFilter> filters, bool gets_copy) {
  const uint32_t thread = action_on(filters, kNewClone);
  uint32_t error = 0;
  const NeededCall &clone = fails_with(thread, &error) && error == ENOSYS ? kClone : kNewClone;
  if (std::string reason = why(clone, action_on(filters, clone)); !reason.empty())
    return reason;
  if (gets_copy)
    if (std::string reason = why(kCopy, action_on(filters, kCopy)); !reason.empty())
      return reason;
  for (const NeededCall &needed : kCalls)
    if (std::string reason = why(needed, action_on(filters, needed)); !reason.empty())
      return reason;
  return "";
}

std::string why_events_kill(std::span<const SeccompFilter> filters) {
  for (const NeededCall &needed : kOfEvents)
    if (kills(action_on(filters, needed)))
      return fmt::format("its seccomp filter may kill it for {}, which an event may call",
                         needed.name);
  return "";
}

} // namespace nophook
