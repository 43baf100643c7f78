// A call that an exception passes is shown as left, one that catches it returns; so in a tail call of it.
// RUN: %traced_cxx -O2 -fno-inline %s -o %t && %nophook record -o %t.data -- %t
// RUN: %nophook report %t.data | FileCheck %s
[[gnu::noinline]] void leaf(int n) { asm volatile("" : "+r"(n)); }
[[gnu::noinline]] void thrower(int n) { leaf(n); throw n; }
[[gnu::noinline]] void last(int n) { thrower(n); leaf(n); }
[[gnu::noinline]] void before(int n) { last(n); }
[[gnu::noinline]] void catcher(int n) { try { before(n); } catch (int) { leaf(n); } }
[[gnu::noinline]] void start(int n) { catcher(n); }
int main() { start(1); leaf(2); }
// CHECK: {{\|  }}main() {
// CHECK-NEXT: {{\|    }}start() {
// CHECK-NEXT: {{\|      }}catcher() {
// CHECK-NEXT: {{\|        }}before() {
// CHECK-NEXT: {{\|          }}last() {
// CHECK-NEXT: {{\|            }}thrower() {
// CHECK-NEXT: {{\|              }}leaf();
// CHECK-NEXT: {{\|            }}} /* thrower left */
// CHECK-NEXT: {{\|          }}} /* last left */
// CHECK-NEXT: {{\|        }}} /* before left */
// CHECK-NEXT: {{\|        }}leaf();
// CHECK-NEXT: {{\|      }}} /* catcher tail */
// CHECK-NEXT: {{\|    }}}{{$}}
// CHECK-NEXT: {{\|    }}leaf();
// CHECK-NEXT: {{\|  }}}{{$}}
