// report --json: one object a line for each event and for each function of --top.
// RUN: %traced_cc %s -o %t && %nophook record -o %t.data -- %t
// RUN: %nophook report --json %t.data | %python -c "import json,sys; [json.loads(l) for l in sys.stdin]"
// RUN: %nophook report --json %t.data | FileCheck %s --check-prefix=EVENTS
// RUN: %nophook report --json --top %t.data | FileCheck %s --check-prefix=TOP
// EVENTS: {"kind":"entry","time_ns":{{[0-9]+}},"cpu":{{[0-9]+}},"pid":[[PID:[0-9]+]],"tid":[[PID]],"comm":"json.c.tmp","function":"main","depth":0}
// EVENTS-NEXT: {"kind":"call",{{.*}}"function":"leaf","depth":1,"duration_ns":{{[0-9]+}},"self_ns":{{[0-9]+}},"returned":true}
// EVENTS-NEXT: {"kind":"exit",{{.*}}"function":"main","depth":0,
// TOP-DAG: {"function":"leaf","hits":1,"self_ns":{{[0-9]+}},"self_percent":{{[0-9.]+}},"total_ns":{{[0-9]+}}}
// TOP-DAG: {"function":"main","hits":1,
__attribute__((noinline)) int leaf(int n) { asm volatile("" : "+r"(n)); return n; }
int main(void) { return leaf(1) - 1; }
