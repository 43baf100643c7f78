// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens a thread's group of perf events, maps their pages, and reads counts from these.

#include "capture/hardware_counters.h"

#include "arch/pmc.h"
#include "base/few_calls.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/signals.h"
#include "capture/tracer_thread.h"
#include "ops/own_stack.h"

#include <errno.h>
#include <linux/perf_event.h>

namespace nophook {

namespace {

// The choice of an array.
struct Choice {
  uint32_t wanted; // set of configs, a bit for each
  uint32_t number; // number of this choice, from 1 on
  uint32_t told; // number of the choice for which a line has reported a thread that is not counted
};
Choice g_choices[kTraceArrays];

// The descriptors of one thread's group, for as long as it takes to map the pages.
struct Group {
  int descriptors[kMostHardware];
  uint32_t count = 0;
  ~Group() {
    while (count)
      sys(SYS_close, descriptors[--count]);
  }
};

Status refusal(long result) {
  switch (result) {
  case -ENOENT:
  case -EOPNOTSUPP:
    return failure(ENODEV, "this machine has no such hardware counter (perf list hw; virtual "
                           "machines often have none)");
  case -EACCES:
  case -EPERM:
    return failure(EACCES, "the kernel refuses hardware counters (perf_event_paranoid is above 2, "
                           "or a sandbox)");
  case -EINVAL:
    return failure(ENOSPC, "the CPU cannot count so many at once: ask for fewer hardware counters");
  default:
    return failure((int)-result, "the kernel gives no perf event for a hardware counter "
                                 "(descriptors? RLIMIT_MEMLOCK?)");
  }
}

Status open_one(int32_t tid, uint32_t config, Group *group, const perf_event_mmap_page **page) {
  perf_event_attr attr;
  for (size_t i = 0; i < sizeof attr; i++)
    reinterpret_cast<char *>(&attr)[i] = 0; // not `= {}`, which may be a call of libc's memset
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_HARDWARE;
  attr.config = config;
  attr.exclude_kernel = attr.exclude_hv = 1;
  attr.pinned = !group->count;
  int leader = group->count ? group->descriptors[0] : -1;
  long opened = has_few_calls() ? -EPERM
                                : sys(SYS_perf_event_open, &attr, tid, -1 /* on every CPU */,
                                      leader, PERF_FLAG_FD_CLOEXEC);
  if (sys_failed(opened))
    return refusal(opened);
  group->descriptors[group->count++] = (int)opened;
  long mapped = sys(SYS_mmap, 0, kPageBytes, PROT_READ, MAP_SHARED, opened, 0);
  if (sys_failed(mapped))
    return refusal(mapped == -EPERM ? -ENOMEM : mapped); // the limit is RLIMIT_MEMLOCK
  *page = reinterpret_cast<const perf_event_mmap_page *>(mapped);
  if (!(*page)->cap_user_rdpmc)
    return failure(EACCES, "the kernel does not let programs read hardware counters "
                           "(/sys/bus/event_source/devices/cpu/rdpmc is 0)");
  return {};
}

// Opens a group. On a failure no descriptor is left open.
Status open_group(int32_t tid, uint32_t which, HardwareCounters *counters) {
  Group group;
  Status status;
  for (uint32_t config = 0; config < kHardwareCounters && status.ok(); config++)
    if (which >> config & 1)
      status = group.count == kMostHardware
                   ? refusal(-EINVAL)
                   : open_one(tid, config, &group, &counters->pages[group.count]);
  if (!status.ok())
    close_hardware_counters(counters);
  return status;
}

// A program that counts its descriptors in a handler must not see ours.
void open_own(TracerThread *thread, uint32_t array) {
  HardwareCounters *counters = &thread->in[array].hardware;
  Choice &choice = g_choices[array];
  BlockSignals block;
  if (counters->choice == choice.number)
    return;
  close_hardware_counters(counters);
  Status status =
      open_group(thread->tid, choice.wanted, counters); // a vfork child has its parent's
  counters->choice = choice.number;
  if (!status.ok() &&
      __atomic_exchange_n(&choice.told, choice.number, __ATOMIC_RELAXED) != choice.number)
    log_line(LogText().add("perf_counters: not in every thread: ").add(status.reason));
}

// The kernel moves the count between `offset` and the CPU's counter where it moves the thread, and
// changes `lock` each time. False: the event does not count.
bool read_page(const volatile perf_event_mmap_page *page, uint64_t *value) {
  uint32_t lock, index;
  uint64_t count;
  do {
    lock = page->lock;
    __asm__ volatile("" ::: "memory");
    index = page->index;
    count = (uint64_t)page->offset;
    if (index) {
      unsigned unused = 64u - page->pmc_width;
      count += (uint64_t)((int64_t)(read_pmc(index - 1) << unused) >> unused);
    }
    __asm__ volatile("" ::: "memory");
  } while (page->lock != lock);
  *value = count;
  return index;
}

} // namespace

Status check_hardware_counters(uint32_t which) {
  HardwareCounters counters = {};
  BlockSignals block;
  NOPHOOK_TRY(open_group(0 /* this thread */, which, &counters));
  bool do_all = true;
  for (const perf_event_mmap_page *page : counters.pages)
    do_all &= !page || page->index;
  if (!do_all)
    log_line("perf_counters: not all of them count now: others may use the CPU's counters (the "
             "kernel's nmi_watchdog has one), or this core is of another kind; calls that were not "
             "counted show none");
  close_hardware_counters(&counters);
  return {};
}

void choose_hardware_counters(uint32_t array, uint32_t which) {
  g_choices[array].wanted = which;
  g_choices[array].number++;
}

uint32_t read_hardware_counters(uint32_t array, uint64_t *values) {
  TracerThread *thread = tracer_thread();
  if (!thread)
    return 0;
  const HardwareCounters &counters = thread->in[array].hardware;
  if (counters.choice != g_choices[array].number)
    run_on_own_stack([=] { open_own(thread, array); });
  uint32_t counted = 0;
  for (uint32_t i = 0; i < kMostHardware; i++)
    if (const perf_event_mmap_page *page = counters.pages[i])
      counted |= (uint32_t)read_page(page, &values[i]) << i;
  return counted;
}

void close_hardware_counters(HardwareCounters *counters) {
  for (const perf_event_mmap_page *&page : counters->pages)
    if (const perf_event_mmap_page *mapped = __atomic_exchange_n(&page, nullptr, __ATOMIC_ACQ_REL))
      sys(SYS_munmap, mapped, kPageBytes);
  __atomic_store_n(&counters->choice, 0, __ATOMIC_RELAXED);
}

} // namespace nophook
