// The intact part of a cut or damaged recording is shown; one line reports the rest, exit 1.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t 2>/dev/null
// RUN: head -c -100 %t.data > %t.cut
// RUN: %exits 1 %nophook report %t.cut > %t.out 2> %t.err
// RUN: FileCheck %s --check-prefix=SHOWN < %t.out
// RUN: FileCheck %s --check-prefix=CUT < %t.err
// RUN: %exits 1 %nophook latency leaf %t.cut 2>&1 >/dev/null | FileCheck %s --check-prefix=CUT
// RUN: %exits 1 %nophook stack %t.cut 2>&1 >/dev/null | FileCheck %s --check-prefix=CUT
// RUN: head -c 100 %t.data > %t.start
// RUN: %exits 1 %nophook report --top %t.start 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: head -c 10 %t.data > %t.none
// RUN: %exits 1 %nophook report %t.none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 1 %nophook report %t.missing 2>&1 | FileCheck %s --check-prefix=MISSING
// SHOWN: main() {
// SHOWN:   leaf();
// SHOWN: }
// CUT: nophook: {{.*}}truncated.c.tmp.{{cut|start}}: {{.+}} (at byte {{[0-9]+}})
// CUT-NOT: {{.}}
// NONE: nophook: {{.+}}: is not a recording of nophook
// MISSING: truncated.c.tmp.missing: No such file or directory
static __attribute__((noinline)) int leaf(int n) { asm volatile("" : "+r"(n)); return n; }
int main(void) { return leaf(1) - leaf(1); }
