// A flight recorder is made larger and smaller while threads write: each ring stays without a gap.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p function -l work -k 1024 -s buffer_mode=overwrite -- %t
// RUN: %show --python 'buffers[0].subbuf_most == 32' %t.buf
// RUN: %show --python 'sum(len(r.events) for r in buffers[0].rings) > 60000' %t.buf
#include "resize.h"

UNTRACED int main(void) {
  return resize_under_writers();
}
