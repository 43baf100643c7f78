// An option of report that would not change its output is refused, with what it is for; so are such options of other commands.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t && %nophook record -p profile -o %t.profile -- %t
// RUN: %exits 2 %nophook report --sort hit %t.data 2>&1 | FileCheck %s --check-prefix=SORT
// RUN: %exits 2 %nophook report --min-calls 2 %t.data 2>&1 | FileCheck %s --check-prefix=CALLS
// RUN: %exits 2 %nophook report --fields hits --json %t.data 2>&1 | FileCheck %s --check-prefix=FIELDS
// RUN: %exits 2 %nophook report --diff %t.data --by module %t.data 2>&1 | FileCheck %s --check-prefix=BY
// RUN: %exits 2 %nophook report --by line %t.data 2>&1 | FileCheck %s --check-prefix=WHAT
// RUN: %exits 2 %nophook report --sort s %t.profile 2>&1 | FileCheck %s --check-prefix=COLUMN
// RUN: %exits 2 %nophook report --by-thread --json %t.data 2>&1 | FileCheck %s --check-prefix=THREAD
// RUN: %exits 2 %nophook report --diff %t.profile --sort hit %t.profile 2>&1 | FileCheck %s --check-prefix=SORT
// RUN: %exits 2 %nophook report --srcline %t.profile 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: %exits 2 %nophook report --diff %t.data --srcline %t.data 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: %exits 2 %nophook report --json -O funcgraph-proc %t.data 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: %exits 2 %nophook report --top -O funcgraph-proc %t.data 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: %nophook report --top -O nograph-time %t.data && %nophook report --by-thread --sort hit %t.profile
// RUN: %exits 2 %nophook list --summary --args %t && %exits 2 %nophook recover --json %t.data && %exits 2 %nophook recover --list --clean
// RUN: %exits 2 %nophook recover --list -o %t.other && %exits 2 %nophook set 1 --mkdir instances/one value
// RUN: %exits 2 %nophook start -p function -g main 1 2>&1 | FileCheck %s --check-prefix=GRAPH
// SORT: nophook: report: --sort: is for sums of calls: add --by function
// CALLS: nophook: report: --min-calls: is for sums of calls
// FIELDS: nophook: report: --fields: is for sums of calls
// BY: nophook: report: --by: is not for differences
// WHAT: nophook: report: --by: 'line' is none of function, thread, module, file (see nophook report --help)
// COLUMN: nophook: report: --sort: a profile has no column 's' (there are: time, hit, avg, s^2, self, function)
// THREAD: nophook: report: --by-thread: is for profiles
// LINE: nophook: report: --srcline: is for events
// OPTION: nophook: report: --option: {{.*}}is for the text of events; --top has graph-time
// GRAPH: nophook: start: --graph is for function_graph
int main(void) { return 0; }
