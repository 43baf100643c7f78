// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that the runtime asks for the syncs that its protocols need. A processor whose instruction fetches are
// coherent, as those at hand, runs on without most of them, so no other test would fail.
//
// A seccomp filter sends each membarrier of the runtime's to a handler, which counts it and makes it from a place that
// the filter lets pass.

#include "torture.h"

#include <fmt/format.h>

#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// runtime/poke/poke.h: the thread of a batch is at a step. The archive's hidden name.
enum { kPokeOpened, kPokeHeads, kPokeTails, kPokeClosed };
extern "C" void (*nophook_poke_stop)(int step);

extern "C" long torture_membarrier(long command, long flags);
extern "C" const char torture_membarrier_end[];
__asm__("torture_membarrier:\n" MEMBARRIER "torture_membarrier_end: ret\n");

static bool watches;
static thread_local long syncs, steps;

static void on_membarrier(int, siginfo_t *, void *raw) {
  make_again(static_cast<ucontext_t *>(raw), torture_membarrier);
  syncs++;
}

// Behind each step of a batch but the opening lies a sync. The thread of a batch makes it itself.
static thread_local long at_last_step = -1;
static void at_step(int step) {
  if (step > kPokeClosed)
    return;
  if (step != kPokeOpened && syncs == at_last_step)
    fail(fmt::format("no sync in front of step {} of a batch", step));
  at_last_step = step == kPokeOpened ? -1 : syncs;
  steps += step != kPokeOpened;
}

Syncs::Syncs() : syncs_(syncs), steps_(steps) {}

void Syncs::expect_grace_period() const {
  if (watches && syncs - syncs_ <= steps - steps_)
    fail(fmt::format("{} syncs for {} steps of batches and a grace period", syncs - syncs_,
                     steps - steps_));
}

static bool filter_membarrier() {
  auto allowed = (uint64_t)torture_membarrier_end;
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 5),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, instruction_pointer)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed, 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, instruction_pointer) + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(allowed >> 32), 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program = {std::size(filter), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

void watch_syncs() {
  struct sigaction action = {};
  action.sa_sigaction = on_membarrier;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGSYS, &action, nullptr);
  if (!filter_membarrier())
    return; // a sandbox that allows no filters: all else is still checked
  watches = true;
  nophook_poke_stop = at_step;
}

void stop_watching() {
  watches = false;
  nophook_poke_stop = nullptr;
}
