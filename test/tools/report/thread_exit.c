// Calls that are open when their thread ends, by pthread_exit or a cancellation, or calls exit(), end then and say so: in text, in JSON, and as another decoder reads it.
// RUN: %traced_cc -O2 -fno-inline %s -o %t && %nophook record -o %t.data -- %t
// RUN: %nophook report %t.data | FileCheck %s
// RUN: %nophook report --json %t.data | FileCheck %s --check-prefix=JSON
// RUN: %python %S/../../support/recording.py %nophook %t.data | FileCheck %s --check-prefix=AGREE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) void leaf(int n) { asm volatile("" : "+r"(n)); }
__attribute__((noinline)) void leaver(void) { leaf(4); pthread_exit(0); }
__attribute__((noinline)) void middle(void) { leaver(); asm volatile(""); }
void *thread(void *unused) { middle(); asm volatile(""); return unused; }
__attribute__((noinline)) void waiter(void) { pthread_cancel(pthread_self()); for (;;) pause(); }
void *cancelled(void *unused) { waiter(); asm volatile(""); return unused; }
void *plain(void *unused) { leaf(5); asm volatile(""); return unused; }
__attribute__((noinline)) void at_the_end(void) { leaf(6); asm volatile(""); }
__attribute__((noinline)) void ender(void) { exit(0); }
int main(void) {
  void *(*bodies[])(void *) = {thread, cancelled, plain};
  for (int i = 0; i < 3; i++) {
    pthread_t other;
    if (pthread_create(&other, 0, bodies[i], 0) || pthread_join(other, 0)) return 1;
  }
  atexit(at_the_end);
  ender();
}
// CHECK: {{\|  }}main() {
// CHECK: {{\|  }}thread() {
// CHECK: {{\|    }}middle() {
// CHECK: {{\|      }}leaver() {
// CHECK: {{\|        }}leaf();{{$}}
// CHECK: us {{.*\|      }}} /* leaver thread exit */
// CHECK: us {{.*\|    }}} /* middle thread exit */
// CHECK: us {{.*\|  }}} /* thread thread exit */
// CHECK: {{\|  }}cancelled() {
// CHECK: us {{.*\|    }}waiter(); /* thread exit */
// CHECK: us {{.*\|  }}} /* cancelled thread exit */
// CHECK: {{\|  }}plain() {
// CHECK: {{\|    }}leaf();{{$}}
// CHECK: {{\|  }}}{{$}}
// CHECK: {{\|    }}ender() {
// CHECK: {{\|      }}at_the_end() {
// CHECK: leaf();{{$}}
// CHECK: }{{$}}
// CHECK: us {{.*\|    }}} /* ender exit() */
// CHECK: us {{.*\|  }}} /* main exit() */
// JSON-DAG: "function":"leaver",{{.*}}"returned":false,"end":"thread exit"}
// JSON-DAG: "function":"waiter",{{.*}}"returned":false,"end":"thread exit"}
// JSON-DAG: "function":"main",{{.*}}"returned":false,"end":"exit()"}
// AGREE: 24 events of 4 threads agree
