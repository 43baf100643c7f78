// A recursion deeper than the tree has all its calls in it; those below level 1000 stand side by side.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t
// RUN: %nophook graph --json %t.data > %t.graph
// RUN: %python -c "import json; lines = [json.loads(l) for l in open('%t.graph')]; assert max(l['depth'] for l in lines) == 1000; print(sum(l['calls'] for l in lines if l['function'] == 'down'), sum(l['calls'] for l in lines if l['function'] == 'bottom'))" | FileCheck %s
// RUN: %nophook report --top 9 --json %t.data > %t.top
// RUN: %nophook export --format folded %t.data > %t.folded && %python %S/../export/Inputs/same_costs.py folded %t.folded %t.top
// RUN: %nophook export --format pprof -o %t.pb %t.data && %python %S/../export/Inputs/same_costs.py pprof %t.pb %t.top
// CHECK: 5001 1
__attribute__((noinline)) int bottom(int n) { __asm__ volatile("" : "+r"(n)); return n; }
__attribute__((noinline)) int down(int n) { return (n ? down(n - 1) : bottom(n)) + 1; }
int main(void) { return down(5000) != 5001; }
