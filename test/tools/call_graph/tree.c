// graph merges calls by their callers: with exact counts, below a function, above it, of one thread; a function tracer's pairs have no times.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t && %nophook record -p function -o %t.pairs -- %t
// RUN: %nophook graph --min-percent 0 %t.data | FileCheck %s --check-prefix=ALL --match-full-lines
// RUN: %nophook graph middle %t.data --min-percent 0 | FileCheck %s --check-prefix=BELOW --match-full-lines --implicit-check-not=main
// RUN: %nophook graph leaf %t.data --callers --min-percent 0 | FileCheck %s --check-prefix=ABOVE --match-full-lines
// RUN: %nophook graph recursive %t.data --min-percent 0 | FileCheck %s --check-prefix=RECURSIVE --match-full-lines
// RUN: %nophook graph --json %t.data | FileCheck %s --check-prefix=JSON
// RUN: %nophook graph --depth 1 %t.data | FileCheck %s --check-prefix=SHALLOW --implicit-check-not=middle
// RUN: %nophook graph --min-percent 0 %t.pairs | FileCheck %s --check-prefix=PAIRS --match-full-lines --implicit-check-not=us
// RUN: %exits 1 %nophook graph none %t.data 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 2 %nophook graph --callers 2>&1 | FileCheck %s --check-prefix=WHOSE
// RUN: cd %S && %exits 1 %nophook graph no/such.data 2>&1 | FileCheck %s --check-prefix=FILE
#define NOINLINE __attribute__((noinline))
NOINLINE int leaf(int n) { __asm__ volatile("" : "+r"(n)); return n; }
NOINLINE int middle(int n) { return leaf(n) + leaf(n + 1); }
NOINLINE int recursive(int n) { return n ? recursive(n - 1) + leaf(n) : 0; }
int main(void) { return middle(1) + middle(2) + leaf(0) + recursive(2) == 1; }
// ALL: {{ +Time % +Total +Self +Calls +Function}}
// ALL-NEXT: {{ +100.0% +[0-9.]+ .s +[0-9.]+ .s +1  main}}
// ALL-DAG: {{ +[0-9.]+% +[0-9.]+ .s +[0-9.]+ .s +2    middle}}
// ALL-DAG: {{ +[0-9.]+% +[0-9.]+ .s +[0-9.]+ .s +4      leaf}}
// ALL-DAG: {{ +[0-9.]+% +[0-9.]+ .s +[0-9.]+ .s +1    leaf}}
// ALL-DAG: {{ +[0-9.]+% +[0-9.]+ .s +[0-9.]+ .s +1    recursive}}
// ALL-DAG: {{ +[0-9.]+% +[0-9.]+ .s +[0-9.]+ .s +1      recursive}}
// ALL-DAG: {{ +[0-9.]+% +[0-9.]+ .s +[0-9.]+ .s +1        recursive}}
// BELOW: {{ +100.0% .* 2  middle}}
// BELOW-NEXT: {{.* 4    leaf}}
// ABOVE: {{ +100.0% +[0-9.]+ .s +7  leaf}}
// ABOVE-DAG: {{.* 4    called by middle}}
// ABOVE-DAG: {{.* 4      called by main}}
// ABOVE-DAG: {{.* 1    called by main}}
// ABOVE-DAG: {{.* 2    called by recursive}}
// RECURSIVE: {{ +100.0% .* 1  recursive}}
// RECURSIVE-DAG: {{.* 1    recursive}}
// RECURSIVE-DAG: {{.* 1    leaf}}
// JSON: {"function":"main","depth":0,"calls":1,"total_ns":{{[0-9]+}},"percent":100{{.*}},"self_ns":{{[0-9]+}}}
// JSON: {"function":"middle","depth":1,"calls":2,
// SHALLOW: main
// PAIRS: {{ +Calls +Function}}
// PAIRS-DAG: {{ +4  middle}}
// PAIRS-DAG: {{ +4    leaf}}
// NONE: nophook: {{.*}}: no call of 'none' was recorded
// WHOSE: nophook: graph: --callers: name the function: nophook graph FUNCTION --callers
// FILE: nophook: nophook.data: No such file or directory
