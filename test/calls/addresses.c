// The address of a function stays the same while calls of it are traced: by a record that says that it is
// taken, and by code without a record.
// RUN: %traced_cc -I %support %s %lib/libnophook.so -Wl,-rpath,%lib -o %t && rm -rf %t.buffers && mkdir %t.buffers
// RUN: env NOPHOOK="buffer_dir=%t.buffers current_tracer=function_graph log=stderr" %t 2>&1 | FileCheck %s
// RUN: %nophook report %t.buffers 2>&1 | FileCheck %s --check-prefix=TRACED
#include "tree.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// Neither is known to the compiler: it would read the slot once.
NOINLINE static void *recorded(void) {
  void *address = (void *)(uintptr_t)rand;
  __asm__ volatile("" : "+r"(address) : : "memory");
  return address;
}
UNTRACED __attribute__((noinline)) static void *not_recorded(void) {
  void *address;
#ifdef __x86_64__
  __asm__ volatile("movq srand@GOTPCREL(%%rip), %0" : "=r"(address));
#else
  __asm__ volatile("adrp %0, :got:srand\n\tldr %0, [%0, :got_lo12:srand]" : "=r"(address));
#endif
  return address;
}
int main(void) {
  void *before[] = {recorded(), not_recorded()};
  EXPECT(before[0] == dlsym(RTLD_DEFAULT, "rand") && before[1] == dlsym(RTLD_DEFAULT, "srand"));
  EXPECT_EQ(echo("1", "calls", 0), 0);
  EXPECT(recorded() == before[0]);
  EXPECT(not_recorded() == before[1]);
  srand((unsigned)rand()); // by other slots
  EXPECT_EQ(echo("0", "calls", 0), 0);
  return failures;
}
// CHECK-DAG: 1 functions have their address taken by the program
// CHECK-DAG: functions may have their address taken by code without records
// TRACED: rand [libc.so.6]
// TRACED: srand [libc.so.6]
