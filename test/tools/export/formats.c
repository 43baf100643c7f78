// export --format text and json: the bytes of report and of report --json, on standard output or in a file; -o can be neither the recording nor a file in no folder.
// RUN: %traced_cc %s -o %t && %nophook record --args --retval -o %t.data -- %t
// RUN: %nophook report %t.data > %t.report && %nophook report --json %t.data > %t.report.json
// RUN: FileCheck %s --check-prefix=TEXT < %t.report && FileCheck %s --check-prefix=JSON < %t.report.json
// RUN: %nophook export --format text %t.data | cmp - %t.report
// RUN: %nophook export --format json %t.data | cmp - %t.report.json
// RUN: %nophook export --format text -o %t.txt %t.data | count 0
// RUN: %nophook export --format json -o %t.json %t.data | count 0
// RUN: cmp %t.txt %t.report && cmp %t.json %t.report.json
// RUN: cp %t.data %t.same
// RUN: %exits 1 %nophook export --format text -o %t.same %t.same 2>&1 | FileCheck %s --check-prefix=ITSELF
// RUN: cmp %t.data %t.same
// RUN: %exits 1 %nophook export --format json -o /no/such/folder %t.data 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: %exits 1 %nophook export --format text -o /dev/full %t.data 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: %exits 2 %nophook export --format xml %t.data 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// TEXT: leaf(n=1); /* ret=2 */
// JSON: "function":"leaf","arguments":[{"name":"n","type":"int","value":"1"}],"result":{{.*}}"duration_ns":
// ITSELF: nophook: {{.*}}.same: is the recording itself: choose another file with --output
// FOLDER: nophook: /no/such/folder: cannot be created: No such file or directory
// FULL: nophook: /dev/full: cannot be written: No space left on device
// UNKNOWN: nophook: export: --format: unknown format 'xml'; formats are text, json, {{.*}}trace.dat
__attribute__((noinline)) int leaf(int n) { asm volatile("" : "+r"(n)); return n + 1; }
int main(void) { return leaf(1) - 2; }
