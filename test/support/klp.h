// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests of live patches share: patches in a line, and waiting for threads.

#pragma once

#include "text.h"

#include <errno.h>
#include <livepatch.h>
#include <sched.h>
#include <time.h>

// A patch of functions of the program: PATCH(name, FUNC(old, new), ...).
#define FUNC(old_, new_) {.old_name = #old_, .new_func = (void *)(new_)}
#define PATCH(name_, ...)                                                                          \
  static struct klp_func name_##_funcs[] = {__VA_ARGS__, {.old_name = NULL}};                      \
  static struct klp_object name_##_objs[] = {{.funcs = name_##_funcs}, {.funcs = NULL}};           \
  static struct klp_patch name_ = {.objs = name_##_objs}

UNTRACED static void pause_briefly(void) {
  struct timespec pause = {0, 200000};
  nanosleep(&pause, NULL);
}

// Until all threads have changed over. A test that waits for ever is stopped by its runner.
UNTRACED static void wait_for_patch(const struct klp_patch *patch) {
  while (klp_patch_status(patch) & KLP_TRANSITION)
    pause_briefly();
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

// Words that threads hand on to each other.
UNTRACED static void wait_until(const int *word, int value) {
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
    sched_yield();
}
UNTRACED static void set(int *word, int value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
