// A server that writes its title over its environment (setproctitle) before the recorder looks at it is recorded, and is not named as missed.
// It has a loader of its own, so the recorder does not see that it begins, and it is looked at up to 100 ms later.
// RUN: cp /lib64/ld-linux-x86-64.so.2 %t.loader && %traced_cc %s -Wl,--dynamic-linker=%t.loader -o %t
// RUN: %nophook record -o %t.data -- sh -c 'sleep 0.3; exec %t' 2>&1 | FileCheck %s
// CHECK-NOT: was not recorded
// CHECK: nophook: 2 events of 1 function in 1 thread, 0 events lost
// CHECK-NOT: was not recorded
#include <string.h>
#include <unistd.h>
extern char **environ;
int main(void) {
  for (char **variable = environ; *variable; variable++)
    memset(*variable, ' ', strlen(*variable));
  return usleep(400000);
}
