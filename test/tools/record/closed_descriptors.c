// Where descriptors 0 to 2 are closed, no message goes into the recording, and the program finds them closed.
// RUN: %traced_cc %s -o %t
// RUN: sh -c 'exec %nophook record -p function -o %t.data -- %t <&- >&- 2>&-'
// RUN: %nophook report %t.data 2>&1 | FileCheck %s
// CHECK-NOT: nophook:
// CHECK: work <-main
// CHECK-NOT: nophook:
#include <fcntl.h>
#include <unistd.h>
__attribute__((noinline)) static int work(int fd) { return fcntl(fd, F_GETFD) == -1; }
int main(void) { return work(0) + work(1) + work(2) == 3 ? 0 : 1; }
