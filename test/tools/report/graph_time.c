// Times of a filtered --top add up: what is hidden counts to its caller; nograph-time leaves the time of callees out.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t
// RUN: %nophook report --top --json --depth 2 %t.data > %t.json
// RUN: %python -c "import json,sys; rows=[json.loads(l) for l in open(sys.argv[1])]; t={r['function']:r for r in rows}; print(sorted(t)); assert t['outer']['self_ns'] == t['outer']['total_ns'] > 2e8 - 1e6; assert abs(sum(r['self_ns'] for r in rows) - t['main']['total_ns']) < 9; assert t['main']['self_ns'] < t['main']['total_ns'] - 1e8" %t.json | FileCheck %s --check-prefix=NAMES
// RUN: %nophook report --top --time +0.1,+0.11 --json %t.data | %python -c "import json,sys; t={r['function']:r for r in map(json.loads, sys.stdin)}; assert t['leaf']['self_ns'] > 9.9e6, t; assert t['main']['total_ns'] <= 10001001, t; assert t['main']['hits'] == 0"
// RUN: %nophook report --top -O nograph-time %t.data | FileCheck %s --check-prefix=ALONE
#include <time.h>
__attribute__((noinline)) void leaf(void) { nanosleep(&(struct timespec){0, 200000000}, 0); }
__attribute__((noinline)) void outer(void) { leaf(); asm volatile(""); }
int main(void) { outer(); }
// NAMES: ['main', 'outer']
// ALONE: {{^}} Self Self % Hits Function
