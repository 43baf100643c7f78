// The kernel's frame of a signal handler is recognized at its place, and at no other on the stack.
// RUN: %target_cxx %s -o %t && qemu-aarch64 -L /usr/aarch64-linux-gnu %t
#include "program.h"

#include "arch/aarch64/handler_data.h"

#include <csignal>
#include <cstring>
#include <ucontext.h>

using Signals = nophook::AArch64Signals;

static int handlers;

// Reads beyond what is its own.
__attribute__((noinline)) static bool is_frame_at(uint64_t address) {
  return Signals::is_signal_frame(reinterpret_cast<const uint64_t *>(address), address);
}

static void on_signal(int, siginfo_t *, void *raw) {
  auto *context = static_cast<ucontext_t *>(raw);
  const auto frame = reinterpret_cast<uint64_t>(raw), own = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  EXPECT(is_frame_at(frame));
  EXPECT_EQ(Signals::interrupted_sp(static_cast<const uint64_t *>(raw)), (uint64_t)context->uc_mcontext.sp);
  EXPECT_EQ(Signals::trapped_at(raw), (uint64_t)context->uc_mcontext.pc);
  EXPECT(own < frame && frame < context->uc_mcontext.sp);
  long found = 0;
  for (uint64_t at = own; at < context->uc_mcontext.sp; at += 8)
    found += is_frame_at(at);
  EXPECT_EQ(found, 1);
  handlers++;
}

int main() {
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, nullptr);
  raise(SIGUSR1);
  EXPECT_EQ(handlers, 1);
  return failures != 0;
}
