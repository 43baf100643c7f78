// An output that cannot be written is refused before the program starts.
// RUN: %traced_cc %s -o %t && rm -f %t.ran
// RUN: %exits 1 %nophook record -o %t.none/data -- %t %t.ran 2>&1 | FileCheck %s
// RUN: %exits 1 %nophook record -o /dev/full -- %t %t.ran 2>&1 | FileCheck %s
// RUN: %exits 1 %nophook record -o / -- %t %t.ran 2>&1 | FileCheck %s
// RUN: test ! -e %t.ran
// CHECK: nophook: {{.+}}: cannot be written: {{No such file or directory|No space left on device|Is a directory}}{{$}}
// CHECK-NOT: {{.}}
#include <stdio.h>
int main(int count, char **arguments) { return count > 1 && !fopen(arguments[1], "w"); }
