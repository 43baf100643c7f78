// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading the program's memory where process_vm_readv is refused: a sandbox's filter, or qemu-user
// 7.2. The other ways to copy from an address without a fault, without memory and without a change
// of the thread:
//
//      rt_sigprocmask and others that only check an address      the load comes later, when the
//                                                                memory may be gone
//      write() into a pipe                                       if another thread closes
//                                                                descriptors by number and opens a
//                                                                file, we write into that
//      pread() of /proc/thread-self/mem                          this one
//
// The file is opened for each read: a descriptor that is kept open would disturb the program. That
// takes five system calls instead of one, and seven times as long. Signals are blocked in the
// meantime, so no handler leaves by longjmp while it is open, and libc's fork waits: a child must
// not inherit its parent's memory. (A child of a bare clone() may, until it executes a program.)
// Pages without rights count as readable there.

#include "base/safe_read.h"

#include "base/fork_page.h"
#include "base/signals.h"

#include <fcntl.h>
#include <time.h>

namespace nophook {

uint32_t g_reads_file = 0;

namespace {

constexpr uint32_t kForks = 1 << 16; // one fork; below it are the reads
// The fork handler adds itself and then looks at the reads; a read adds itself and then looks for
// forks. Both are sequentially consistent.
NOPHOOK_WITH_FORK uint32_t g_open = 0;

constexpr uint64_t kKnown = 0x6e6f70686f6f6b21;
uint64_t g_known = kKnown;

// An emulator may have the program's memory at other addresses than the program.
bool is_own_memory(long file) {
  uint64_t found = 0;
  return sys(SYS_pread64, file, &found, sizeof found, &g_known) == sizeof found && found == kKnown;
}

long read_file(uint64_t address, void *to, uint64_t bytes) {
  long file = sys(SYS_openat, AT_FDCWD, "/proc/thread-self/mem", O_RDONLY | O_CLOEXEC);
  if (sys_failed(file))
    return file;
  long result = -ENOSYS;
  if (__atomic_load_n(&g_reads_file, __ATOMIC_RELAXED) || is_own_memory(file)) {
    __atomic_store_n(&g_reads_file, 1, __ATOMIC_RELAXED);
    result = sys(SYS_pread64, file, to, bytes, address);
  }
  sys(SYS_close, file);
  // EIO: there is no memory. EINVAL: the address lies in the kernel's half.
  return result == -EIO || result == -EINVAL ? -EFAULT : result;
}

} // namespace

long safe_read_by_file(uint64_t address, void *to, uint64_t bytes) {
  BlockSignals block(kRaisedByCode); // a filter may raise SIGSYS
  long result = -EAGAIN;
  if (__atomic_add_fetch(&g_open, 1, __ATOMIC_SEQ_CST) < kForks)
    result = read_file(address, to, bytes);
  __atomic_sub_fetch(&g_open, 1, __ATOMIC_RELEASE);
  return result;
}

// A read ends by itself, unless its thread is stopped.
void hold_safe_reads() {
  constexpr timespec kPause = {0, 50'000};
  uint32_t open = __atomic_add_fetch(&g_open, kForks, __ATOMIC_SEQ_CST);
  for (int pauses = 0; open % kForks && pauses < 1000; pauses++) {
    sys(SYS_nanosleep, &kPause, nullptr);
    open = __atomic_load_n(&g_open, __ATOMIC_ACQUIRE);
  }
}

void release_safe_reads() {
  __atomic_sub_fetch(&g_open, kForks, __ATOMIC_RELEASE);
}

void forget_safe_reads() {
  g_open = 0;
}

} // namespace nophook
