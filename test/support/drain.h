// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reader inside the traced program, for traces larger than any buffer: a thread that follows the
// rules of include/nophook/buffer.h for readers, counts events by kind, and checks nothing else. It
// is blind to rings: the program must have one traced thread at a time.

#pragma once

#include "program.h"

#include <nophook/buffer.h>

#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct nophook_buffer *drained;
static unsigned long drained_events[8]; // number of events by kind
static unsigned long drained_holes;
static int drain_over;
static pthread_t drain_thread;

UNTRACED static void drain_subbuf(uint32_t index) {
  char *subbuf =
      (char *)drained + drained->subbufs_offset + (uint64_t)index * drained->subbuf_bytes;
  uint32_t used = ((struct nophook_subbuf *)subbuf)->used;
  uint64_t *words = (uint64_t *)(subbuf + NOPHOOK_SUBBUF_HEADER_BYTES);
  for (uint32_t i = 0; i < used / 8; i++)
    if (words[i])
      drained_events[words[i] >> NOPHOOK_KIND_SHIFT]++;
    else
      drained_holes++;
  memset(subbuf, 0, drained->subbuf_bytes);
}

UNTRACED static void drain_once(uint32_t wanted) {
  uint32_t *states = (uint32_t *)((char *)drained + drained->states_offset);
  for (uint32_t i = 0; i < drained->subbuf_used; i++)
    if (__atomic_load_n(&states[i], __ATOMIC_ACQUIRE) == wanted) {
      if (wanted == NOPHOOK_SUBBUF_ACTIVE) // no thread writes any more
        ((struct nophook_subbuf *)((char *)drained + drained->subbufs_offset +
                                   (uint64_t)i * drained->subbuf_bytes))
            ->used = drained->subbuf_bytes - NOPHOOK_SUBBUF_HEADER_BYTES;
      drain_subbuf(i);
      __atomic_store_n(&states[i], NOPHOOK_SUBBUF_FREE, __ATOMIC_RELEASE);
      __atomic_fetch_add(&drained->freed, 1, __ATOMIC_RELEASE);
    }
}

UNTRACED static void *drain_loop(void *unused) {
  struct timespec pause = {0, 200000};
  while (!__atomic_load_n(&drain_over, __ATOMIC_ACQUIRE)) {
    drain_once(NOPHOOK_SUBBUF_FULL);
    nanosleep(&pause, NULL);
  }
  return unused;
}

// Starts the reader if this process is traced; returns whether it is.
UNTRACED static int drain_start(void) {
  const char *settings = getenv("NOPHOOK");
  const char *at = settings ? strstr(settings, "buffer_dir=") : NULL;
  if (!at)
    return 0;
  char pattern[600];
  glob_t files;
  snprintf(pattern, sizeof pattern, "%.*s/%d-*.buf", (int)strcspn(at + 11, " "), at + 11, getpid());
  EXPECT(glob(pattern, 0, NULL, &files) == 0 && files.gl_pathc == 1);
  int fd = open(files.gl_pathv[0], O_RDWR);
  struct stat st;
  fstat(fd, &st);
  drained = (struct nophook_buffer *)mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE,
                                          MAP_SHARED, fd, 0);
  close(fd);
  globfree(&files);
  pthread_create(&drain_thread, NULL, drain_loop, NULL);
  return 1;
}

// Ends the reader; later events are not counted.
UNTRACED static void drain_stop_thread(void) {
  __atomic_store_n(&drain_over, 1, __ATOMIC_RELEASE);
  pthread_join(drain_thread, NULL);
}

// Ends the reader when the traced threads are done; the counts are whole then.
UNTRACED static void drain_finish(void) {
  drain_stop_thread();
  unsigned long holes = drained_holes;
  drain_once(NOPHOOK_SUBBUF_FULL);
  drain_once(NOPHOOK_SUBBUF_ACTIVE); // the unused end of an active sub-buffer is not a hole
  drained_holes = holes;
}

UNTRACED static unsigned long drain_ticks(void) {
  unsigned long ticks;
#ifdef __x86_64__
  ticks = __builtin_ia32_rdtsc();
#else
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
#endif
  return ticks;
}

// Begins again as the next reader of a stopped buffer does, but gives nothing back.
UNTRACED static void drain_begin_anew(void) {
  __atomic_store_n(&drained->cleared, drain_ticks(), __ATOMIC_RELEASE);
  __atomic_fetch_add(&drained->clears, 1, __ATOMIC_RELEASE);
  __atomic_store_n(&drained->stop, 0, __ATOMIC_RELEASE);
}

UNTRACED static unsigned long drain_lost(void) {
  unsigned long lost = drained->lost;
  struct nophook_ring *rings = (struct nophook_ring *)((char *)drained + drained->rings_offset);
  for (uint32_t i = 0; i < drained->ring_count; i++)
    if (rings[i].clears == drained->clears)
      lost += rings[i].lost;
  return lost;
}
