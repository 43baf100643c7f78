// How a call ended is shown: by longjmp or the end of its thread (left), by a tail call (tail), or by a return (nothing).
// RUN: %traced_cc -O2 -fno-inline %s -o %t && %nophook record -o %t.data -- %t
// RUN: %nophook report %t.data | FileCheck %s
// RUN: %nophook report --json %t.data | FileCheck %s --check-prefix=JSON
#include <pthread.h>
#include <setjmp.h>
static jmp_buf back;
__attribute__((noinline)) void leaf(int n) { asm volatile("" : "+r"(n)); }
__attribute__((noinline)) void jumper(void) { leaf(1); longjmp(back, 1); }
__attribute__((noinline)) void third(int n) { leaf(n); asm volatile(""); }
__attribute__((noinline)) void second(int n) { leaf(n); third(n + 1); }
__attribute__((noinline)) void first(int n) { second(n + 1); }
__attribute__((noinline)) void leaver(void) { leaf(4); pthread_exit(0); }
__attribute__((noinline)) void destroy(void *unused) { (void)unused; leaf(5); }
void *thread(void *unused) {
  pthread_cleanup_push(destroy, 0);
  leaver();
  pthread_cleanup_pop(0);
  return unused;
}
int main(void) {
  if (!setjmp(back)) jumper();
  first(1);
  pthread_t other;
  if (pthread_create(&other, 0, thread, 0) || pthread_join(other, 0)) return 1;
}
// CHECK: {{\|  }}main() {
// CHECK-NEXT: {{\|    }}jumper() {
// CHECK-NEXT: {{\|      }}leaf();
// CHECK-NEXT: {{\|    }}} /* jumper left */
// CHECK-NEXT: {{\|    }}first() {
// CHECK-NEXT: {{\|      }}second() {
// CHECK-NEXT: {{\|        }}leaf();
// CHECK-NEXT: {{\|      }}} /* second tail */
// CHECK-NEXT: {{\|      }}third() {
// CHECK-NEXT: {{\|        }}leaf();
// CHECK-NEXT: {{\|      }}} /* third tail */
// CHECK-NEXT: {{\|    }}}{{$}}
// CHECK: {{\|  }}thread() {
// CHECK-NEXT: {{\|    }}leaver() {
// CHECK-NEXT: {{\|      }}leaf();
// CHECK-NEXT: {{\|    }}} /* leaver left */
// CHECK-NEXT: {{\|    }}destroy() {
// JSON: "function":"jumper",{{.*}}"returned":false,"end":"left"}
// JSON: "function":"second",{{.*}}"returned":false,"end":"tail"}
// JSON: "function":"first",{{.*}}"returned":true}
