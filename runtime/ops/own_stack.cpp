// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps and switches stacks. A stack is mapped when a thread first needs it and stays with the
// thread's record, for the next thread that has it.

#include "ops/own_stack.h"

#include "arch/callback_path.h"
#include "base/memory.h"
#include "base/syscall.h"

#include <signal.h>
#include <sys/mman.h>

namespace nophook {
namespace {

constexpr uint64_t kAllButTrap = ~(uint64_t{1} << (SIGTRAP - 1));

bool has_stack(Thread *thread) {
  if (thread->own_stack)
    return true;
  auto *guard = static_cast<char *>(map_pages(kPageBytes + kOwnStackBytes, MAP_NORESERVE));
  if (!guard)
    return false;
  // The guard is made by mmap, since a sandbox may kill for mprotect (base/few_calls.h). If the
  // kernel refuses it, the stack has no guard.
  sys(SYS_mmap, guard, kPageBytes, PROT_NONE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  thread->own_stack = reinterpret_cast<uint64_t>(guard) + kPageBytes;
  return true;
}

} // namespace

void run_on_own_stack(void (*body)(void *), void *context) {
  Thread *thread = this_thread();
  uint64_t before;
  if (thread->own_stack_user || !has_stack(thread) ||
      sys_failed(sys(SYS_rt_sigprocmask, SIG_BLOCK, &kAllButTrap, &before, sizeof before))) {
    body(context);
    return;
  }
  thread->own_stack_user = reinterpret_cast<uint64_t>(&before);
  nophook_switch_stack(body, context, thread->own_stack + kOwnStackBytes);
  thread->own_stack_user = 0;
  sys(SYS_rt_sigprocmask, SIG_SETMASK, &before, nullptr, sizeof before);
}

} // namespace nophook
