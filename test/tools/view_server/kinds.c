// The replies of `view` for recordings that are no ordinary ones: a profile has no calls, a damaged one is shown as far as it goes and is said to be damaged, and a function tracer's events have no durations.
// RUN: %traced_cc %s -o %t && %nophook record -p profile -o %t.profile -- %t && %exits 1 %nophook view --no-open %t.profile 2>&1 | FileCheck %s --check-prefix=PROFILE
// RUN: %nophook record -o %t.data -- %t && %nophook view --output %t.html %t.data && FileCheck %s --check-prefix=PAGE < %t.html
// RUN: head -c -40 %t.data > %t.cut && %exits 1 %nophook view --output %t.cut.html %t.cut 2>&1 | FileCheck %s --check-prefix=CUT && FileCheck %s --check-prefix=PAGE < %t.cut.html
// RUN: %nophook record -p function -o %t.function -- %t && %nophook view --output %t.function.html %t.function && FileCheck %s --check-prefix=PAGE < %t.function.html
// RUN: %exits 1 %nophook view %t.missing 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: %exits 1 %nophook view --output /no/such/folder/page.html %t.data 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: %exits 2 %nophook view --port 70000 %t.data 2>&1 | FileCheck %s --check-prefix=PORT
__attribute__((noinline)) int leaf(int n) { __asm__ volatile("" : "+r"(n)); return n; }
int main(void) { return leaf(1) + leaf(2) == 1; }
// PROFILE: nophook: {{.*}}.profile: is a profile: it has counts, which `nophook report` shows, and no calls for a timeline
// PAGE: "calls":3,
// PAGE-SAME: "short":[{{"main","leaf"|"leaf","main"}}]
// CUT: nophook: {{.*}}.cut: {{.*}}the recording is cut
// MISSING: nophook: {{.*}}.missing: No such file or directory
// FOLDER: nophook: /no/such/folder/page.html: cannot be created: No such file or directory
// PORT: --port
