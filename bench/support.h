// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers that the measuring programs share: a clock, samples that they print for the driver, and
// the reader's side of the buffer.
//
// The programs run without `nophook record`, so that nothing but the traced process is on the
// machine while a nanosecond is counted. A reader must still hand back full sub-buffers, or the
// bench would measure how fast events are dropped: either a reader thread, as a recording has one
// (in another process), or the measured thread itself between two measurements.

#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <nophook/buffer.h>

#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define UNTRACED __attribute__((no_instrument_function))

UNTRACED static inline double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

UNTRACED static inline void sleep_ms(unsigned ms) {
  struct timespec t = {0, (long)ms * 1000000};
  nanosleep(&t, NULL);
}

// Binds the calling thread to the first or to the last CPU that this process may use: threads that
// the scheduler moves at its will make one run take ten times as long as the next.
UNTRACED static inline void bind_to_cpu(bool last) {
  static cpu_set_t all; // mask of the first call: a thread inherits its creator's binding
  cpu_set_t one;
  if (CPU_COUNT(&all) == 0 && sched_getaffinity(0, sizeof all, &all) != 0)
    return;
  int cpu = last ? CPU_SETSIZE - 1 : 0;
  while (!CPU_ISSET(cpu, &all))
    cpu += last ? -1 : 1;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);
}

// The same with real-time priority. If that is refused, the spread shows it.
UNTRACED static inline bool bind_to_last_cpu(void) {
  bind_to_cpu(true);
  struct sched_param first = {.sched_priority = 1};
  return sched_setscheduler(0, SCHED_FIFO, &first) == 0;
}

// Real-time priority for this thread alone, not for those that it starts. Beside a thousand threads
// that compute, a thread without it waits for seconds whenever it has lost its CPU.
UNTRACED static inline bool take_priority(void) {
  struct sched_param first = {.sched_priority = 1};
  return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first) == 0;
}

__attribute__((noreturn, format(printf, 1, 2))) UNTRACED static inline void
give_up(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  _exit(1);
}

// A line of results: NAME VALUE..., a value for each round; the driver computes medians.
struct samples {
  const char *name;
  double values[1024];
  int count;
};

UNTRACED static inline void add_sample(struct samples *s, double value) {
  if (s->count < (int)(sizeof s->values / sizeof s->values[0]))
    s->values[s->count++] = value;
}

UNTRACED static inline void print_samples(const struct samples *s) {
  printf("%s", s->name);
  for (int i = 0; i < s->count; i++)
    printf(" %.3f", s->values[i]);
  printf("\n");
}

static struct nophook_buffer *buffer;
static pthread_t buffer_reader;
static int buffer_reader_stop;

// Maps the buffer file of this process. It exists from the first tracer on.
UNTRACED static inline void map_buffer(void) {
  const char *settings = getenv("NOPHOOK");
  const char *at = settings ? strstr(settings, "buffer_dir=") : NULL;
  if (!at)
    give_up("run with NOPHOOK=\"buffer_dir=DIR buffer_size_kb=N\"");
  char pattern[600];
  glob_t files;
  snprintf(pattern, sizeof pattern, "%.*s/%d-*.buf", (int)strcspn(at + 11, " "), at + 11,
           (int)getpid());
  if (glob(pattern, 0, NULL, &files) != 0 || files.gl_pathc != 1)
    give_up("no buffer file: %s", pattern);
  struct stat st;
  int fd = open(files.gl_pathv[0], O_RDWR);
  if (fd < 0 || fstat(fd, &st) != 0)
    give_up("cannot open %s", files.gl_pathv[0]);
  void *map = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED)
    give_up("cannot map %s", files.gl_pathv[0]);
  buffer = (struct nophook_buffer *)map;
  close(fd);
  globfree(&files);
}

// Hands back every full sub-buffer, unread; returns their number.
UNTRACED static inline unsigned drain_buffer(void) {
  uint32_t *states = (uint32_t *)((char *)buffer + buffer->states_offset);
  char *subbufs = (char *)buffer + buffer->subbufs_offset;
  unsigned drained = 0;
  for (uint32_t i = 0; i < buffer->subbuf_used; i++)
    if (__atomic_load_n(&states[i], __ATOMIC_ACQUIRE) == NOPHOOK_SUBBUF_FULL) {
      memset(subbufs + (size_t)i * buffer->subbuf_bytes, 0, buffer->subbuf_bytes);
      __atomic_store_n(&states[i], NOPHOOK_SUBBUF_FREE, __ATOMIC_RELEASE);
      __atomic_fetch_add(&buffer->freed, 1, __ATOMIC_RELEASE);
      drained++;
    }
  return drained;
}

UNTRACED static inline void *read_buffer(void *unused) {
  struct timespec pause = {0, 200000};
  while (!__atomic_load_n(&buffer_reader_stop, __ATOMIC_ACQUIRE))
    if (!drain_buffer())
      nanosleep(&pause, NULL);
  return unused;
}

UNTRACED static inline void start_reader(void) {
  pthread_create(&buffer_reader, NULL, read_buffer, NULL);
}

UNTRACED static inline void stop_reader(void) {
  __atomic_store_n(&buffer_reader_stop, 1, __ATOMIC_RELEASE);
  pthread_join(buffer_reader, NULL);
}

UNTRACED static inline double lost_events(void) {
  const struct nophook_ring *rings =
      (const struct nophook_ring *)((char *)buffer + buffer->rings_offset);
  uint64_t lost = buffer->lost;
  for (uint32_t i = 0; i < buffer->ring_count; i++)
    lost += rings[i].lost;
  return (double)lost;
}
