// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers that tests of live patches share: patches in a line, and waiting for threads.

#pragma once

#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <livepatch.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Defines a patch of functions of the program: PATCH(name, FUNC(old, new), ...).
#define FUNC(old_, new_) {.old_name = #old_, .new_func = (void *)(new_)}
#define PATCH(name_, ...)                                                                          \
  static struct klp_func name_##_funcs[] = {__VA_ARGS__, {.old_name = NULL}};                      \
  static struct klp_object name_##_objs[] = {{.funcs = name_##_funcs}, {.funcs = NULL}};           \
  static struct klp_patch name_ = {.objs = name_##_objs}

UNTRACED static void pause_briefly(void) {
  struct timespec pause = {0, 200000};
  nanosleep(&pause, NULL);
}

// qemu has a thread of its own in the process, from the start. The kernel shows qemu's own
// registers for sleepers, so none of them is proven to sleep outside.
static int emulators_thread;
UNTRACED __attribute__((constructor)) static void find_emulators_thread(void) {
  DIR *tasks = getenv("NOPHOOK_ON_QEMU") ? opendir("/proc/self/task") : NULL;
  for (struct dirent *task; tasks && (task = readdir(tasks));)
    emulators_thread = atoi(task->d_name) && atoi(task->d_name) != getpid() ? atoi(task->d_name) : emulators_thread;
  if (tasks)
    closedir(tasks);
}
// The program's threads that have not changed over. On qemu the caller is in here, and so outside.
// A function of its own: in its caller's frame, the list would keep words that earlier calls have
// left on the stack.
UNTRACED __attribute__((noinline)) static int pending_threads(int *tids, int most) {
  int all[64], count = klp_pending_threads(all, 64), kept = 0;
  for (int i = 0; i < count && i < 64; i++)
    if (!emulators_thread || (all[i] != emulators_thread && all[i] != (int)syscall(SYS_gettid))) {
      if (kept < most)
        tids[kept] = all[i];
      kept++;
    }
  return kept;
}

// Forces the transition if only the emulator's thread is pending. A fiber that waits belongs to no
// thread, so none of these is pending for it.
UNTRACED __attribute__((noinline)) static void force_if_only_emulators(struct klp_patch *patch) {
  int tid;
  struct klp_fiber *fiber;
  if (klp_pending_threads(&tid, 1) && !pending_threads(&tid, 1) && !klp_pending_fibers(&fiber, 1))
    klp_force_patch(patch); // refused if the transition has just ended
}

// Waits until all threads have changed over. A test that waits for ever is stopped by its runner.
UNTRACED static void wait_for_patch(struct klp_patch *patch) {
  while (klp_patch_status(patch) & KLP_TRANSITION) {
    if (emulators_thread)
      force_if_only_emulators(patch);
    pause_briefly();
  }
}
UNTRACED static void enable_and_wait(struct klp_patch *patch) {
  EXPECT_EQ(klp_enable_patch(patch), 0);
  wait_for_patch(patch);
  EXPECT_EQ(klp_patch_status(patch), KLP_ENABLED);
}
UNTRACED static void disable_and_wait(struct klp_patch *patch) {
  EXPECT_EQ(klp_disable_patch(patch), 0);
  wait_for_patch(patch);
  EXPECT_EQ(klp_patch_status(patch), 0);
}

// Waits for a word that another thread sets.
UNTRACED static void wait_until(const int *word, int value) {
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
    sched_yield();
}
UNTRACED static void set(int *word, int value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
