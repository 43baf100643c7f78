// A name that no function has is answered with the nearest ones, or with where its calls were inlined, by every verb alike: record, report, graph, latency, export and --where.
// RUN: %traced_cxx %s -o %t && %nophook record --args -o %t.data -- %t
// RUN: %exits 2 %nophook record -l prase -o %t.none -- %t 2>&1 | FileCheck %s --check-prefixes=RECORD,NEAREST
// RUN: %exits 2 %nophook record -l app::helper -o %t.none -- %t 2>&1 | FileCheck %s --check-prefixes=RECORD,INLINED
// RUN: %exits 1 %nophook report --function prase %t.data 2>&1 | FileCheck %s --check-prefixes=CALL,NEAREST
// RUN: %nophook report --notrace helper %t.data 2>&1 | FileCheck %s --check-prefixes=CALL,INLINED
// RUN: %exits 1 %nophook graph prase %t.data 2>&1 | FileCheck %s --check-prefixes=CALL,NEAREST
// RUN: %exits 1 %nophook graph helper %t.data 2>&1 | FileCheck %s --check-prefixes=CALL,INLINED
// RUN: %exits 1 %nophook latency prase %t.data 2>&1 | FileCheck %s --check-prefixes=TIME,NEAREST
// RUN: %exits 1 %nophook latency parse --to helper%%return %t.data 2>&1 | FileCheck %s --check-prefixes=TIME,INLINED
// RUN: %exits 1 %nophook latency seldom %t.data 2>&1 | FileCheck %s --check-prefix=SELDOM
// RUN: %exits 2 %nophook export --format json --where 'helper.n > 1' %t.data 2>&1 | FileCheck %s --check-prefixes=WHERE,INLINED
// RUN: %exits 2 %nophook diff --where 'prase.n > 1' %t.data %t.data 2>&1 | FileCheck %s --check-prefixes=WHERE,NEAREST
#define SEEN __attribute__((noinline))
namespace app {
__attribute__((always_inline)) inline int helper(int n) { asm volatile("" : "+r"(n)); return n + 1; }
SEEN int parse(int n) { return helper(n) * helper(n + 1); }
SEEN int seldom(int n) { asm volatile("" : "+r"(n)); return n; }
}
int main(int count, char **) { return count > 5 ? app::seldom(count) : app::parse(count) == 0; }
// RECORD: matches no function of
// CALL: no call of '{{.*}}' was recorded;
// TIME: no time from {{.*}} was recorded; '{{.*}}' is no function of the recording:
// WHERE: --where: the recording has no function '{{.*}}' (
// NEAREST-SAME: the nearest: app::parse
// INLINED-SAME: its calls are inlined in app::parse
// SELDOM: no time from seldom to its return was recorded{{$}}
