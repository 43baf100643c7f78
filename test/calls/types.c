// Arguments of calls into libraries have the types of the declarations in debug info: the plugin's, and
// of gcc's objects by recordmcount.
// RUN: %traced_cc %s -o %t.1 && %nophook record --calls -a -r -o %t.1.data %t.1 > /dev/null && %nophook report %t.1.data 2>&1 | FileCheck %s
// RUN: env NOPHOOK_CC=gcc %nophook cc -g -O2 -D_GNU_SOURCE %s -o %t.2 && %nophook record --calls -a -r -o %t.2.data %t.2 > /dev/null && %nophook report %t.2.data 2>&1 | FileCheck %s
// RUN: env NOPHOOK_CC=gcc %nophook cc -g -O0 -D_GNU_SOURCE -fno-plt %s -o %t.3 && %nophook record --calls -a -r -o %t.3.data %t.3 > /dev/null && %nophook report %t.3.data 2>&1 | FileCheck %s
// gcc without debug info: entries alone.
// RUN: env NOPHOOK_CC=gcc %nophook cc -g0 -O2 -D_GNU_SOURCE %s -o %t.4 && %nophook record --calls -a -o %t.4.data %t.4 > /dev/null && %nophook report %t.4.data 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: %nophook list --calls %t.4 2>&1 | FileCheck %s --check-prefix=LIST
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  char *end;
  if (setenv("NOPHOOK_TYPES", "some text", 1) || write(STDOUT_FILENO, "abc\n", 4) != 4)
    exit(1);
  double number = strtod("2.5", &end);
  div_t parts = div((int)number + 5, 3); // a structure that comes back in a register
  return parts.rem != 1 || !getenv("NOPHOOK_TYPES");
}
// CHECK: main() {
// CHECK-NEXT: setenv [libc.so.6]("NOPHOOK_TYPES", "some text", 1); /* ret=0 */
// CHECK-NEXT: write [libc.so.6](1, 0x{{[0-9a-f]+}}, 4); /* ret=4 */
// CHECK-NEXT: strtod [libc.so.6]("2.5", 0x{{[0-9a-f]+}}); /* ret=2.5 */
// CHECK-NEXT: div [libc.so.6](7, 3);
// CHECK-NEXT: getenv [libc.so.6]("NOPHOOK_TYPES"); /* ret="some text" */
// ENTRY: setenv [libc.so.6](
// ENTRY-NOT: setenv [libc.so.6]("
// LIST: entry only: no descriptor PLT, {{.*}} setenv [libc.so.6]
