// The tracer hits counts calls and takes no times: each thread, fork children, tail calls, variadic functions, signal handlers and calls that are left by longjmp; no report, table or difference shows a time.
// RUN: %traced_cc -O2 -pthread %s -o %t && %nophook record -p hits -o %t.data -- %t 2> %t.err && FileCheck %s --check-prefix=SAID < %t.err
// RUN: %nophook report %t.data | FileCheck %s --match-full-lines --implicit-check-not=us
// RUN: %nophook report --sort function --top 2 %t.data | FileCheck %s --check-prefix=NAMED --match-full-lines
// RUN: %nophook report --json %t.data | FileCheck %s --check-prefix=JSON --match-full-lines
// RUN: %nophook report --by-thread %t.data | FileCheck %s --check-prefix=EACH
// RUN: %nophook report --by function %t.data | FileCheck %s --check-prefix=BY --implicit-check-not=Self --implicit-check-not=Total
// RUN: %nophook info %t.data | FileCheck %s --check-prefix=INFO --implicit-check-not=events
// RUN: %nophook record -p hits -o %t.more -- %t 5 && %nophook diff %t.data %t.more | FileCheck %s --check-prefix=DIFF --implicit-check-not=Self
// RUN: %exits 2 %nophook report --sort time %t.data 2>&1 | FileCheck %s --check-prefix=SORT
// RUN: %exits 2 %nophook report --by function --fields self %t.data 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: %exits 2 %nophook diff --fields total %t.data %t.more 2>&1 | FileCheck %s --check-prefix=TOTAL
// RUN: %exits 2 %nophook record -p hits --index -o %t.none -- %t 2>&1 | FileCheck %s --check-prefix=NOINDEX
// RUN: %nophook record -p hits -S tracing_thresh=1000 -S trace_clock=boot -o %t.same -- %t 2>&1 | FileCheck %s --check-prefix=EFFECT
// RUN: %nophook report %t.same | FileCheck %s --match-full-lines
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define SEEN __attribute__((noinline))
static jmp_buf back;
SEEN static int many(int n) { __asm__ volatile("" : "+r"(n)); return n; }
SEEN static int tail(int n) { __asm__ volatile("" : "+r"(n)); return many(n); }
SEEN static int variadic(int n, ...) { va_list list; va_start(list, n); int got = va_arg(list, int); va_end(list); return got; }
SEEN static double floats(double x, float y) { __asm__ volatile("" : "+x"(x)); return x * y; }
SEEN static void left(void) { longjmp(back, 1); }
SEEN static void handler(int number) { __asm__ volatile("" : "+r"(number)); }
SEEN static void *in_thread(void *unused) {
  for (int i = 0; i < 500; i++)
    many(i);
  return unused;
}
SEEN static void in_child(void) { __asm__ volatile(""); }
int main(int count, char **arguments) {
  for (int i = 0; i < 1000; i++)
    if (many(i) != i || tail(i) != i || variadic(1, i) != i || floats(i, 0.5f) != i * 0.5)
      return 1;
  if (!setjmp(back))
    left();
  signal(SIGUSR1, handler);
  for (int i = 0; i < 7; i++)
    raise(SIGUSR1);
  pthread_t thread;
  if (pthread_create(&thread, 0, in_thread, 0) || pthread_join(thread, 0))
    return 2;
  for (int more = count > 1 ? atoi(arguments[1]) : 0; more; more--)
    in_child();
  const int child = fork();
  if (child == 0) {
    for (int i = 0; i < 40; i++)
      in_child();
    _exit(0);
  }
  return waitpid(child, 0, 0) != child;
}
// 2500 + 1000 + 1000 + 1000 + 1 + 7 + 1 + 1 + 40
// SAID: nophook: 5550 calls counted
//      CHECK: Function Hit
// CHECK-NEXT: -------- ---
// CHECK-NEXT: many 2500
// CHECK-NEXT: floats 1000
// CHECK-NEXT: tail 1000
// CHECK-NEXT: variadic 1000
// CHECK-NEXT: in_child 40
// CHECK-NEXT: handler 7
// CHECK-NEXT: in_thread 1
// CHECK-NEXT: left 1
// CHECK-NEXT: main 1
// CHECK-NOT: {{.}}
// NAMED: floats 1000
// NAMED-NEXT: handler 7
// NAMED-NOT: {{.}}
//      JSON: {"function":"many","hits":2500}
// JSON-NEXT: {"function":"floats","hits":1000}
// EACH-DAG: many 2000
// EACH-DAG: many 500
// EACH-DAG: in_child 40
// BY: Hits Function
// BY: 2500 {{.*}}many
// INFO: tracer{{ +}}hits
// DIFF: # before: {{.*}}.data
// DIFF: Hits
// DIFF: 40 {{ *}}45 {{.*}}in_child
// SORT: nophook: report: --sort: a profile of the tracer hits has no column 'time' (there are: hit, function)
// FIELD: nophook: report: --fields: self: the recording has no durations: it is of the tracer hits, which counts only
// TOTAL: nophook: diff: --fields: {{.*}}has no durations: it is of the tracer hits, which counts only
// NOINDEX: nophook: record: --index: a profile has no calls, so it has no index
// EFFECT: hits counts all calls of its functions: it follows no other setting
