// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CPU that counts, for machines that have none: perf_event_open is answered with a page in memory
// (seccomp's user notification), and `rdpmc`, which faults, by a handler of SIGSEGV. The test sets
// the counts.

#pragma once

#include "descriptors.h"
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

enum { kPmuEvents = 64, kPmuFirst = 0x1000, kPmuWidth = 48 }; // no CPU has counters of such numbers

struct PmuEvent {
  int tid, is_pinned, group; // group: the leader's descriptor, or -1
  unsigned config;
  struct perf_event_mmap_page *page;
  unsigned long value; // value of the CPU's counter
};

// The state, shared with children.
static struct Pmu {
  int listener;
  int error; // error that perf_event_open returns; 0: it returns an event
  int has_no_rdpmc; // whether the pages deny rdpmc
  int is_busy; // whether no event counts
  int moves; // whether the next reading of the counter finds the kernel moving it, once
  struct PmuEvent events[kPmuEvents];
  unsigned count;
} *pmu;

UNTRACED static void pmu_open(const struct seccomp_notif *asked,
                              struct seccomp_notif_resp *answer) {
  struct perf_event_attr attr;
  struct iovec to = {&attr, sizeof attr}, from = {(void *)asked->data.args[0], sizeof attr};
  int tid = (int)asked->data.args[1];
  if (pmu->error || pmu->count == kPmuEvents ||
      process_vm_readv((pid_t)asked->pid, &to, 1, &from, 1, 0) != (ssize_t)sizeof attr) {
    answer->error = -(pmu->error ? pmu->error : ENOMEM);
    return;
  }
  struct PmuEvent *event = &pmu->events[pmu->count];
  int file = memfd_create("pmu", MFD_CLOEXEC);
  EXPECT(file >= 0 && ftruncate(file, 4096) == 0);
  event->page =
      (struct perf_event_mmap_page *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  event->page->cap_user_rdpmc = !pmu->has_no_rdpmc;
  event->page->index = pmu->is_busy ? 0 : kPmuFirst + pmu->count + 1;
  event->page->pmc_width = kPmuWidth;
  event->page->offset = 1000;
  event->tid = tid ? tid : (int)asked->pid;
  event->config = (unsigned)attr.config;
  event->is_pinned = attr.pinned;
  event->group = (int)asked->data.args[3];
  event->value = (1ul << kPmuWidth) - 16; // below 0, and soon above
  EXPECT(attr.type == PERF_TYPE_HARDWARE && attr.exclude_kernel && !attr.inherit &&
         !attr.sample_period);
  struct seccomp_notif_addfd add;
  memset(&add, 0, sizeof add);
  add.id = asked->id;
  add.srcfd = (unsigned)file;
  add.newfd_flags = O_CLOEXEC;
  answer->val = ioctl(pmu->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add);
  close(file);
  __atomic_fetch_add(&pmu->count, 1, __ATOMIC_RELEASE);
}

UNTRACED static void *pmu_serve(void *nothing) {
  for (;;) {
    struct seccomp_notif asked;
    memset(&asked, 0, sizeof asked);
    if (ioctl(__atomic_load_n(&pmu->listener, __ATOMIC_ACQUIRE), SECCOMP_IOCTL_NOTIF_RECV,
              &asked) != 0) {
      usleep(1000); // there is no request yet, or the process that made it is gone
      continue;
    }
    struct seccomp_notif_resp answer;
    memset(&answer, 0, sizeof answer);
    answer.id = asked.id;
    pmu_open(&asked, &answer);
    ioctl(pmu->listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
  }
  return nothing;
}

// Sets the handler. NULL: as if there were no handler.
UNTRACED static void pmu_handle(void (*handler)(int, siginfo_t *, void *)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  if (handler) {
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
  }
  sigaction(SIGSEGV, &action, NULL);
}

UNTRACED static void pmu_fault(int signal, siginfo_t *info, void *raw) {
  (void)signal, (void)info;
  ucontext_t *context = (ucontext_t *)raw;
  greg_t *of = context->uc_mcontext.gregs;
  const unsigned char *at = (const unsigned char *)of[REG_RIP];
  unsigned number = (unsigned)of[REG_RCX] - kPmuFirst;
  if (at[0] != 0x0f || at[1] != 0x33 || number >= pmu->count) {
    pmu_handle(NULL); // the fault is the program's own
    return;
  }
  struct PmuEvent *event = &pmu->events[number];
  if (pmu->moves) {
    pmu->moves = 0;
    event->page->offset += 700;
    event->value -= 700;
    event->page->lock += 2;
  }
  of[REG_RAX] = (greg_t)(event->value & 0xffffffff);
  of[REG_RDX] = (greg_t)(event->value >> 32 & 0xffff);
  of[REG_RIP] += 2;
}

// Starts the emulation in this thread and in those that it makes from now on.
UNTRACED static void pmu_start(void) {
  pmu = (struct Pmu *)mmap(NULL, sizeof *pmu, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                           -1, 0);
  pmu->listener = -1;
  pmu_handle(pmu_fault);
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, pmu_serve, NULL), 0);
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  EXPECT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                              SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  EXPECT(listener >= 0);
  __atomic_store_n(&pmu->listener, listener, __ATOMIC_RELEASE);
}

// The last event of the calling thread that counts `config`, or null.
UNTRACED static struct PmuEvent *pmu_event(unsigned config) {
  for (unsigned i = __atomic_load_n(&pmu->count, __ATOMIC_ACQUIRE); i-- > 0;)
    if (pmu->events[i].config == config && pmu->events[i].tid == (int)syscall(SYS_gettid))
      return &pmu->events[i];
  return NULL;
}

// Lets the CPU count: adds `growth` to the counter.
UNTRACED static void pmu_count(unsigned config, unsigned long growth) {
  struct PmuEvent *event = pmu_event(config);
  EXPECT(event != NULL);
  if (event)
    event->value = (event->value + growth) & ((1ul << kPmuWidth) - 1);
}

// The number of pages that are mapped as the kernel would map them. A child gets none, as with the
// kernel's.
UNTRACED static int pmu_mapped(void) {
  char line[512];
  int count = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) {
    unsigned long from;
    if (!strstr(line, "memfd:pmu") || !strstr(line, " r--s ") || sscanf(line, "%lx-", &from) != 1)
      continue;
    char *dash = strchr(line, '-');
    unsigned long to = strtoul(dash + 1, NULL, 16);
    madvise((void *)from, to - from, MADV_DONTFORK);
    count += (int)((to - from) / 4096); // neighbours may be one line
  }
  fclose(maps);
  return count;
}
