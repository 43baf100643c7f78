// A sub-buffer takes one page of memory when a thread begins it, and the other 15 when an event needs them: each event is there, across the boundary, too.
// RUN: %traced_cc -O1 -I%S %s -o %t
// RUN: %trace -p function -k 65536 -- %t
// RUN: %show --python 'sum(len(r.events) for b in buffers for r in b.rings) == 5000 and not sum(r.lost for b in buffers for r in b.rings)' %t.buf
// RUN: %trace -p function -k 65536 -s trace_clock=boot -- %t
// RUN: %show --python 'sum(len(r.events) for b in buffers for r in b.rings) == 5000' %t.buf
#include "resize.h"

UNTRACED static long hole_of(const struct nophook_buffer *buffer) {
  return lseek(buffer_fd, (off_t)buffer->subbufs_offset, SEEK_HOLE) - (long)buffer->subbufs_offset;
}
UNTRACED int main(void) {
  work(0);
  struct nophook_buffer *buffer = find_buffer();
  EXPECT_EQ(hole_of(buffer), NOPHOOK_SUBBUF_FIRST_BYTES);
  for (int i = 1; i < 5000; i++)
    work(i);
  EXPECT(hole_of(buffer) >= NOPHOOK_SUBBUF_BYTES);
  return failures;
}
