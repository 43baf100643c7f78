// Calls into libraries have the types that their callers know: arguments and results are recorded.
// RUN: %traced_cc %s -o %t && %nophook record --calls -a -r -o %t.data %t > /dev/null
// RUN: %nophook report %t.data 2>&1 | FileCheck %s
// A filter means functions of libraries alone, by name or as they are shown.
// RUN: %nophook record --calls -l lib:write -o %t.1 %t > /dev/null && %nophook report %t.1 2>&1 | FileCheck %s --check-prefix=ONE --implicit-check-not=main --implicit-check-not=labs
// RUN: %nophook record --calls -l 'write [libc.so.6]' -o %t.2 %t > /dev/null && %nophook report %t.2 2>&1 | FileCheck %s --check-prefix=ONE --implicit-check-not=main --implicit-check-not=labs
// RUN: %nophook record --calls -l main -n 'lib:*' -o %t.3 %t > /dev/null && %nophook report %t.3 2>&1 | FileCheck %s --check-prefix=OWN --implicit-check-not=libc
// RUN: %nophook report %t.data --function 'write [libc.so.6]' 2>&1 | FileCheck %s --check-prefix=REPORT --implicit-check-not=main
#include <unistd.h>
int main(void) {
  char text[] = "abc\n";
  return write(STDOUT_FILENO, text, 4) != 4;
}
// CHECK: main() {
// CHECK-NEXT: write [libc.so.6]({{(0x)?}}1, 0x{{[0-9a-f]+}}, {{(0x)?}}4); /* ret={{(0x)?}}4 */
// ONE: write [libc.so.6]();
// OWN: main();
// REPORT: write [libc.so.6]
