// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks the memory of this process as one of an ordinary user's: without CAP_IPC_LOCK, and below the
// hard limit, which may be 8 MiB.

#pragma once

#include "program.h"

#include <linux/capability.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

UNTRACED static long resident_bytes(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  EXPECT(file && fscanf(file, "%*d %ld", &pages) == 1);
  fclose(file);
  return pages * 4096;
}
UNTRACED static void drop_capability(int which) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2];
  EXPECT_EQ(syscall(SYS_capget, &header, data), 0);
  data[which / 32].effective &= ~(1u << which % 32);
  EXPECT_EQ(syscall(SYS_capset, &header, data), 0);
}
UNTRACED static void limit_locks(long bytes) {
  struct rlimit limit;
  EXPECT_EQ(getrlimit(RLIMIT_MEMLOCK, &limit), 0);
  limit.rlim_cur = limit.rlim_max < (rlim_t)bytes ? limit.rlim_max : (rlim_t)bytes;
  EXPECT_EQ(setrlimit(RLIMIT_MEMLOCK, &limit), 0);
}
// All that there is and will be; the limit is so much more than what is resident now.
UNTRACED static inline void lock_memory(long more_bytes) {
  drop_capability(CAP_IPC_LOCK);
  limit_locks(resident_bytes() + more_bytes);
  EXPECT_EQ(mlockall(MCL_CURRENT | MCL_FUTURE), 0);
}
// New mappings only, up to a number of bytes: the program itself may take most of a hard limit of 8 MiB.
UNTRACED static inline void lock_new_memory(long most_bytes) {
  drop_capability(CAP_IPC_LOCK);
  limit_locks(most_bytes);
  EXPECT_EQ(mlockall(MCL_FUTURE), 0);
}
