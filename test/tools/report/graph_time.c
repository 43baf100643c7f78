// Times of a filtered --top add up: a hidden call counts to its caller; nograph-time leaves the time of callees out; --min-duration has the calls that took at least this long.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t
// RUN: %nophook report --top --json --depth 2 %t.data > %t.json
// RUN: %python -c "import json,sys; rows=[json.loads(l) for l in open(sys.argv[1])]; t={r['function']:r for r in rows}; print(sorted(t)); assert t['outer']['self_ns'] == t['outer']['total_ns'] > 2e8 - 1e6; assert abs(sum(r['self_ns'] for r in rows) - t['main']['total_ns']) < 9; assert t['main']['self_ns'] < t['main']['total_ns'] - 1e8" %t.json | FileCheck %s --check-prefix=NAMES
// RUN: %nophook report --top --time +0.1,+0.11 --json %t.data | %python -c "import json,sys; t={r['function']:r for r in map(json.loads, sys.stdin)}; assert t['leaf']['self_ns'] > 9.9e6, t; assert t['main']['total_ns'] <= 10001001, t; assert t['main']['hits'] == 0"
// RUN: %nophook report --top -O nograph-time %t.data | FileCheck %s --check-prefix=ALONE
// RUN: %nophook report --json %t.data > %t.all && %nophook report --json --min-duration 100ms %t.data > %t.long
// RUN: %python -c "import json,sys; calls=lambda path: sorted((e['function'], e['duration_ns']) for e in map(json.loads, open(path)) if 'duration_ns' in e); a, l = map(calls, sys.argv[1:]); assert len(a) == 4 and {f for f, _ in l} >= {'leaf', 'outer', 'main'} and l == [c for c in a if c[1] >= 1e8], (a, l)" %t.all %t.long
#include <time.h>
__attribute__((noinline)) void quick(void) { asm volatile(""); }
__attribute__((noinline)) void leaf(void) { nanosleep(&(struct timespec){0, 200000000}, 0); }
__attribute__((noinline)) void outer(void) { leaf(); quick(); asm volatile(""); }
int main(void) { outer(); }
// NAMES: ['main', 'outer']
// ALONE: {{^}} Self Self % Hits Function
