// record --index writes the index when the program has ended, and view uses it as it is; the status stays the program's. A profile has none.
// RUN: %traced_cc %s -o %t && rm -f %t.data.index
// RUN: %exits 7 %nophook record --index -o %t.data -- %t 2>&1 | FileCheck %s
// RUN: cp -p %t.data.index %t.kept && %nophook view --output %t.html %t.data && cmp %t.kept %t.data.index
// RUN: %python -c "import os; assert os.stat('%t.kept').st_mtime_ns == os.stat('%t.data.index').st_mtime_ns"
// RUN: %exits 2 %nophook record --index -p profile -o %t.profile -- %t 2>&1 | FileCheck %s --check-prefix=PROFILE
// RUN: rm %t.data.index && mkdir %t.data.index && %exits 7 %nophook record --index -o %t.data -- %t 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: rmdir %t.data.index
__attribute__((noinline)) int leaf(int n) { __asm__ volatile("" : "+r"(n)); return n; }
int main(void) { return leaf(3) + leaf(4); }
// CHECK: nophook: 6 events of 2 functions
// CHECK-NOT: nophook:
// FOLDER: nophook: {{.*}}.data.index: cannot be replaced: Is a directory
// PROFILE: nophook: record: --index: a profile has no calls, so it has no index
