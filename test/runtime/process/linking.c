// The documented flags pull the runtime in, though nothing strong refers to it: the shared one
// under --as-needed and the archive. Without them a program runs and traces nothing.
// RUN: %traced_cc %s -o %t.shared -Wl,--as-needed %linked
// RUN: %readelf -d %t.shared | FileCheck --check-prefix=NEEDED %s
// RUN: %trace_linked -- %t.shared && %show --count %t.buf | FileCheck %s
// RUN: %traced_cc %s -o %t.archive %static
// RUN: %trace_linked -- %t.archive && %show --count %t.buf | FileCheck %s
// RUN: %traced_cc %s -o %t.plain -Wl,--as-needed -L%lib -lnophook
// RUN: %readelf -d %t.plain | FileCheck --check-prefix=PLAIN %s
// RUN: %trace_linked -- %t.plain && not %show %t.buf
// RUN: %trace -- %t.plain && %show --count %t.buf | FileCheck %s
#include "program.h"
NOINLINE static int work(int n) { return n; }
int main(void) { return work(0); }
// NEEDED: NEEDED{{.*}}[libnophook.so.0]
// PLAIN-NOT: libnophook
// CHECK: main: 1 entry, 1 exit
// CHECK: work: 1 entry, 1 exit
