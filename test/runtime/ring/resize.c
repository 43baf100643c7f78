// A buffer is made larger and smaller while threads write: what does not fit is counted, memory comes back.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p function -l work -k 1024 -- %t
// RUN: %show --python 'buffers[0].subbuf_most == 32 and buffers[0].lost_events() > 0' %t.buf
#include "resize.h"

UNTRACED int main(void) {
  return resize_under_writers();
}
