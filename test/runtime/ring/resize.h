// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that write until there is enough, and a buffer that changes its size while they do.

#pragma once

#include "program.h"

#include <nophook/buffer.h>
#include <tracefs.h>

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static long calls;
static int over, buffer_fd;

NOINLINE static void work(int n) {
  KEEP(n);
}
UNTRACED static void *run(void *unused) {
  long count = 0;
  while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
    work((int)count++);
  for (int i = 0; i < 100000;
       i++, count++) // a flight recorder's ring gives up what it has too much
    work(i);
  __atomic_fetch_add(&calls, count, __ATOMIC_RELAXED);
  return unused;
}

UNTRACED static int resize(const char *kib) {
  return tracefs_write("buffer_size_kb", kib, strlen(kib), 0);
}

UNTRACED static struct nophook_buffer *find_buffer_of(int pid) {
  const char *at = strstr(getenv("NOPHOOK"), "buffer_dir=") + 11;
  char pattern[600];
  glob_t files;
  snprintf(pattern, sizeof pattern, "%.*s/%d-*.buf", (int)strcspn(at, " "), at, pid);
  EXPECT(glob(pattern, 0, NULL, &files) == 0 && files.gl_pathc == 1);
  int fd = open(files.gl_pathv[0], O_RDWR);
  struct stat st;
  fstat(fd, &st);
  void *buffer = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  buffer_fd = fd;
  return (struct nophook_buffer *)buffer;
}
UNTRACED static struct nophook_buffer *find_buffer(void) {
  return find_buffer_of(getpid());
}

UNTRACED static uint32_t *states(struct nophook_buffer *buffer) {
  return (uint32_t *)((char *)buffer + buffer->states_offset);
}

// Until a thread has begun this sub-buffer.
UNTRACED static void wait_for(struct nophook_buffer *buffer, uint32_t index) {
  for (int i = 0; i < 600000; i++, usleep(100))
    if (__atomic_load_n(states(buffer) + index, __ATOMIC_ACQUIRE) != NOPHOOK_SUBBUF_FREE)
      return;
  EXPECT(!"the sub-buffer has been begun");
}

// The events that are in the buffer, and those that are counted as lost or overwritten.
UNTRACED static long all_events(struct nophook_buffer *buffer) {
  int overwrites = buffer->full == NOPHOOK_FULL_OVERWRITE; // then a ring counts what it has left
  struct nophook_ring *rings = (struct nophook_ring *)((char *)buffer + buffer->rings_offset);
  long sum = (long)(buffer->lost + buffer->overwritten);
  for (uint32_t i = 0; i < buffer->ring_count; i++)
    sum += (long)(rings[i].lost + rings[i].written);
  for (uint32_t i = 0; i < buffer->subbuf_used; i++) {
    uint64_t *words =
        (uint64_t *)((char *)buffer + buffer->subbufs_offset + (uint64_t)i * NOPHOOK_SUBBUF_BYTES);
    if (states(buffer)[i] != NOPHOOK_SUBBUF_FREE &&
        (!overwrites || states(buffer)[i] == NOPHOOK_SUBBUF_ACTIVE))
      for (uint32_t k = 8; k < NOPHOOK_SUBBUF_BYTES / 8; k++)
        sum += nophook_is_counted(words[k]);
  }
  return sum;
}

// Four threads write; the buffer has room for 16, 256, 32 sub-buffers in turns.
UNTRACED static int resize_under_writers(void) {
  pthread_t threads[4];
  struct nophook_buffer *buffer = find_buffer();
  EXPECT_EQ(resize("1000"), -EINVAL);
  EXPECT_EQ(resize("16448"), -ENOMEM); // it was made for 16 times as much
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, run, NULL);
  for (int round = 0; round < 5; round++) {
    EXPECT_EQ(resize("16384"), 0);
    wait_for(buffer, 150);
    EXPECT_EQ(resize("2048"), 0);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  EXPECT_EQ(all_events(buffer), calls);
  int beyond = 0;
  for (uint32_t i = 32; i < buffer->subbuf_used; i++)
    beyond += states(buffer)[i] != NOPHOOK_SUBBUF_FREE;
  EXPECT(beyond == 0 || buffer->full == NOPHOOK_FULL_OVERWRITE); // such a buffer's rings give up their oldest
  struct stat st;
  fstat(buffer_fd, &st);
  EXPECT(st.st_blocks * 512 <= 8 << 20); // it had 16 MiB; file systems keep a little
  return failures;
}
