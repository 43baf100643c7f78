// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A view into a batch while it is under way. For programs linked with libnophook.a: they see the
// runtime's hidden names.

#pragma once

#include "sites.h"

#include <pthread.h>

// runtime/poke/poke.h: called by the batch's thread at each step, while text can be written.
enum { kPokeOpened, kPokeHeads, kPokeTails, kPokeClosed, kPokeUndoing };
extern void (*nophook_poke_stop)(int step);

// runtime/poke/kill_switch.h
const char *kill_reason(void) __asm__("_ZN7nophook11kill_reasonEv");

// Threads that call all sites until a flag ends them, and count.
struct Runners {
  pthread_t threads[8];
  int count, over;
  long calls, bodies, rounds;
};
static struct Runners runners;

UNTRACED static void *run_sites(void *unused) {
  long calls = 0;
  while (!__atomic_load_n(&runners.over, __ATOMIC_RELAXED)) {
    for (SiteFunction *const *site = sites_begin; site < sites_end; site++, calls++)
      (*site)();
    __atomic_fetch_add(&runners.rounds, 1, __ATOMIC_RELAXED);
  }
  __atomic_fetch_add(&runners.calls, calls, __ATOMIC_RELAXED);
  __atomic_fetch_add(&runners.bodies, site_bodies, __ATOMIC_RELAXED);
  return unused;
}

UNTRACED static void start_runners(int count) {
  memset(&runners, 0, sizeof runners);
  for (int i = 0; i < count; i++)
    EXPECT_EQ(pthread_create(&runners.threads[runners.count++], NULL, run_sites, NULL), 0);
}

// Returns when each site has been called again.
UNTRACED static void wait_for_runners(void) {
  long before = __atomic_load_n(&runners.rounds, __ATOMIC_RELAXED);
  while (__atomic_load_n(&runners.rounds, __ATOMIC_RELAXED) < before + 2 * runners.count)
    sched_yield();
}

// Ends the threads, and checks that every call has reached its body.
UNTRACED static void stop_runners(void) {
  __atomic_store_n(&runners.over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < runners.count; i++)
    pthread_join(runners.threads[i], NULL);
  EXPECT_EQ(runners.bodies, runners.calls);
  EXPECT(runners.calls > 0);
}

// Runs `body` in a child process, so that its damage stays there.
#define IN_CHILD(body)                                                                             \
  do {                                                                                             \
    fflush(stdout);                                                                                \
    pid_t pid_ = fork();                                                                           \
    if (pid_ == 0) {                                                                               \
      body;                                                                                        \
      fflush(stdout);                                                                              \
      _exit(failures != 0);                                                                        \
    }                                                                                              \
    int status_ = -1;                                                                              \
    waitpid(pid_, &status_, 0);                                                                    \
    EXPECT_EQ(status_, 0);                                                                         \
  } while (0)
