// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that meets our int3 has executed one byte of a site that is being changed. The
// handler lets it go on as if the new instruction had been there already: for a call it
// pushes the return address, for a jump or call it goes to the target, for a NOP behind it.
//
// A trap that is not ours belongs to the program: its own handler runs, with what it asked
// for; without one, the program dies of it as it would have without us.

#include "poke/trap.h"

#include "arch/arch.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <ucontext.h>

namespace nophook {
namespace {

const PokeSite *g_sites = nullptr;
uint64_t g_count = 0;
struct sigaction g_previous;

const PokeSite *find_site(const uint8_t *ip) {
  uint64_t low = 0, high = g_count;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (g_sites[middle].ip < ip)
      low = middle + 1;
    else
      high = middle;
  }
  return low < g_count && g_sites[low].ip == ip && !g_sites[low].failed ? &g_sites[low] : nullptr;
}

void pass_on(int signal, siginfo_t *info, void *context) {
  if (g_previous.sa_flags & SA_SIGINFO) {
    g_previous.sa_sigaction(signal, info, context);
  } else if (g_previous.sa_handler == SIG_DFL || g_previous.sa_handler == SIG_IGN) {
    // int3 kills under SIG_IGN as well. Let the kernel do it: the signal is forced again at
    // once, since it is not blocked in here.
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    sigaction(SIGTRAP, &action, nullptr);
    sys(SYS_tgkill, sys(SYS_getpid), sys(SYS_gettid), SIGTRAP);
  } else {
    g_previous.sa_handler(signal);
  }
}

void on_trap(int signal, siginfo_t *info, void *context) {
  greg_t *regs = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  auto *ip = reinterpret_cast<uint8_t *>(regs[REG_RIP] - 1);
  if (info->si_code != SI_KERNEL && info->si_code != TRAP_BRKPT) {
    pass_on(signal, info, context);
    return;
  }
  const PokeSite *site = find_site(ip);
  if (!site && *ip != Arch::kTrap) { // of a batch that is over: what stands there now will do
    regs[REG_RIP] -= 1;
    return;
  }
  if (!site) {
    pass_on(signal, info, context);
    return;
  }
  uint64_t insn = site->to;
  auto address = reinterpret_cast<uint64_t>(ip);
  if (Arch::is_nop_insn(insn)) {
    regs[REG_RIP] = (greg_t)(address + Arch::kSiteBytes);
    return;
  }
  if ((insn & 0xff) == 0xe8) {
    // At the entry of a function nothing of the program is below rsp, and the signal frame
    // is beyond the red zone.
    regs[REG_RSP] -= 8;
    *reinterpret_cast<uint64_t *>(regs[REG_RSP]) = address + Arch::kSiteBytes;
  }
  regs[REG_RIP] = (greg_t)Arch::target_of(address, insn);
}

bool debugger_attached() {
  long fd = sys(SYS_openat, AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (sys_failed(fd))
    return false;
  char text[4096];
  long n = sys(SYS_read, fd, text, sizeof text - 1);
  sys(SYS_close, fd);
  static const char kKey[] = "TracerPid:\t";
  for (long i = 0; !sys_failed(n) && i + (long)sizeof kKey < n; i++)
    if (equal_bytes(text + i, kKey, sizeof kKey - 1))
      return text[i + (long)sizeof kKey - 1] != '0';
  return false;
}

} // namespace

Status trap_begin(const PokeSite *sites, uint64_t count) {
  if (debugger_attached())
    return failure(EBUSY, "some sites need int3, which the attached debugger would take");
  g_sites = sites;
  g_count = count;
  struct sigaction action = {};
  action.sa_sigaction = on_trap;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART;
  if (sigaction(SIGTRAP, &action, &g_previous) != 0)
    return failure(EPERM, "the SIGTRAP handler cannot be installed");
  return {};
}

void trap_end() {
  // The last core sync has made sure that no thread executes an int3 of ours any more, but a
  // thread may have executed one just before and still be inside the kernel, before its
  // signal is delivered. It is runnable, so it gets there when it has its next time slice.
  timespec pause = {0, 100 * 1000 * 1000};
  sys(SYS_nanosleep, &pause, nullptr);
  struct sigaction now;
  if (sigaction(SIGTRAP, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) &&
      now.sa_sigaction == on_trap) // else the program has put its own there meanwhile
    sigaction(SIGTRAP, &g_previous, nullptr);
  __atomic_store_n(&g_count, 0, __ATOMIC_RELEASE);
}

} // namespace nophook
