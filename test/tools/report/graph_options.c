// function_graph's options add and take away columns and comments exactly as in the kernel, defaults included.
// RUN: %traced_cc %s -o %t && %nophook record --retval -o %t.data -- %t
// RUN: %nophook report -O funcgraph-cpu -O funcgraph-duration -O funcgraph-overhead -O nofuncgraph-retval %t.data > %t.default
// RUN: %nophook report -O nofuncgraph-retval %t.data | diff %t.default -
// RUN: %nophook report -O funcgraph-abstime -O funcgraph-proc %t.data | FileCheck %s --check-prefix=WIDE --match-full-lines --strict-whitespace
// RUN: %nophook report -O nofuncgraph-cpu -O nofuncgraph-duration -O funcgraph-tail %t.data | FileCheck %s --check-prefix=BARE --match-full-lines --strict-whitespace
// RUN: %nophook report -O nofuncgraph-overhead %t.data | FileCheck %s --check-prefix=CALM --implicit-check-not="{{[+!#*@$] [0-9.]+ us}}"
// RUN: %nophook report -O funcgraph-retval-hex -O funcgraph-overrun %t.data | FileCheck %s --check-prefix=HEX
#include <time.h>
__attribute__((noinline)) int leaf(int n) { asm volatile("" : "+r"(n)); return -n; }
__attribute__((noinline)) void slow(void) { nanosleep(&(struct timespec){0, 1200000}, 0); }
int main(int count, char **arguments) { (void)arguments; slow(); return leaf(count) + 1; }
//      WIDE:#     TIME        CPU  TASK/TID         DURATION                  FUNCTION CALLS
// WIDE-NEXT:#      |          |     |    |           |   |                     |   |   |   |
// WIDE-NEXT:{{ *[0-9]+\.[0-9][0-9][0-9][0-9][0-9][0-9]}} |   {{[0-9]}}) {{ *}}graph_o-{{[0-9]+ *}} |               |  main() {
// WIDE-NEXT:{{ *[0-9]+\.[0-9][0-9][0-9][0-9][0-9][0-9]}} |   {{[0-9]}}) {{ *}}graph_o-{{[0-9]+ *}} | {{[#*@$]}} {{[0-9.]+}} us {{ *}}|    slow();
//      BARE:#               FUNCTION CALLS
// BARE-NEXT:#               |   |   |   |
// BARE-NEXT:main() {
// BARE-NEXT:  slow();
// BARE-NEXT:  leaf(); /* ret=-1 */
// BARE-NEXT:} /* main ret=0 */
// CALM: {{^ [0-9]\)   [0-9.]+ us +}}|    slow();
// HEX: leaf(); /* ret=0xffffffff */
// HEX-NEXT: } /* main ret=0x0 */
// HEX-NEXT: {{^}} (Overruns: 0)
