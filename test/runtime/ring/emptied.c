// A thread that is killed between two stores, when it has left a sub-buffer and not yet counted its events, leaves an exact count.
// RUN: %traced_cc -O1 %s -o %t && not %trace -p function -k 1024 -s buffer_mode=overwrite -- %t %t.calls 2>&1 | FileCheck %s
// RUN: %show --python 'len(buffers[0].rings[0].events) + buffers[0].overwritten_events() == int(open("%t.calls").read().rstrip(chr(0)))' %t.buf
// RUN: %nophook report %t.buf | sed -n 's,^# entries.*/\([0-9]*\) .*,\1,p' | tr -d '\n' > %t.written && tr -d '\0' < %t.calls | diff - %t.written
// CHECK: died of signal 11
#include "program.h"

#include <nophook/buffer.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

NOINLINE static void work(void) { KEEP(0); }

UNTRACED static char *mapped_buffer(void) {
  char line[512], *at = NULL;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (!at && fgets(line, sizeof line, maps))
    if (strstr(line, ".buf\n") && strstr(line, "rw-s 00000000 ")) // not one of its sub-buffers
      sscanf(line, "%p", (void **)&at);
  fclose(maps);
  return at;
}

// The number is a text in a file that outlives us.
UNTRACED int main(int count, char **arguments) {
  int file = open(arguments[count - 1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  EXPECT(ftruncate(file, 4096) == 0);
  char *calls = (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  work();
  char *base = mapped_buffer();
  const struct nophook_buffer *header = (const struct nophook_buffer *)base;
  volatile struct nophook_ring *ring = (volatile struct nophook_ring *)(base + header->rings_offset);
  for (long done = 1;; done++) {
    snprintf(calls, 4096, "%ld", done);
    if (ring->written > 100000) // a next count cannot be stored, and some are overwritten
      mprotect((void *)ring, 4096, PROT_READ);
    work();
  }
}
