// A script is run, and what it runs is traced: each process, and the program that one becomes.
// RUN: %traced_cc %s -o %t
// RUN: echo '#!/bin/sh' > %t.sh && echo '"$1" 0; "$1" 1; exec "$1" 2' >> %t.sh && chmod +x %t.sh
// RUN: %exits 2 %nophook record -o %t.data -- %t.sh %t 2>&1 | FileCheck %s
// RUN: %nophook report --top %t.data | FileCheck %s --check-prefix=TOP
// CHECK: nophook: {{7|8}} events of 1 function in 4 threads, 0 events lost
// TOP: 4 main
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **arguments) {
  if (count == 2 && arguments[1][0] == '1')
    execl(arguments[0], arguments[0], "1", "again", (char *)0);
  return atoi(arguments[1]);
}
