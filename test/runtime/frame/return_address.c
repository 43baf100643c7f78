// A function that reads its return address finds its caller, never the runtime. (One that asks
// for its caller's caller, a level above 0, may find the runtime's frame instead.)
// RUN: %traced_cc -O0 -fno-omit-frame-pointer %s -o %t && %alike --must who_called -- %t
// RUN: %traced_cc -O2 -fno-omit-frame-pointer %s -o %t && %alike --must who_called -- %t
// RUN: %show --count %t.buf.function_graph | FileCheck %s
#include "program.h"
#pragma clang diagnostic ignored "-Wframe-address"

NOINLINE static char *who_called(void) { return __builtin_extract_return_addr(__builtin_return_address(0)); }
NOINLINE static char *frame_of(void) { return __builtin_frame_address(1); }
__attribute__((noinline)) int caller(void) {
  char *begin = (char *)(void *)caller;
  EXPECT((size_t)(who_called() - begin) < 1000);
  EXPECT(frame_of() == __builtin_frame_address(0));
  return 0;
}

int main(void) { return caller() + failures; }
// CHECK: caller: 1 entry, 1 exit
// CHECK: who_called: 1 only
