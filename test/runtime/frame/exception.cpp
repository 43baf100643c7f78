// An exception passes five traced frames: their destructors run in order, the report knows.
// RUN: %traced_cxx -O0 %s -o %t && %alike --must thrower -- %t
// RUN: %traced_cxx -O2 %s -o %t && %alike --must thrower -- %t | count 0
// RUN: %show --tree %t.buf.function_graph | FileCheck %s
#include "program.h"
#include <stdexcept>
#include <string>

static std::string order;
struct Guard {
  char name;
  UNTRACED ~Guard() { order += name; }
};
static void thrower(int depth);
template <char Name> NOINLINE static void frame(int depth) {
  Guard guard{Name};
  if (depth == 5)
    thrower(depth);
  else
    frame<Name + 1>(depth + 1);
  KEEP(&guard);
}
template <> void frame<'f'>(int) {}
NOINLINE static void thrower(int depth) { throw std::runtime_error(std::to_string(depth)); }

int main() {
  for (int i = 0; i < 3; i++) {
    try {
      frame<'a'>(1);
      order += '!';
    } catch (const std::exception &error) {
      order += error.what();
    }
  }
  EXPECT(order == "edcba5edcba5edcba5");
  return failures;
}
// CHECK: thread {{.*}} 18 unwound, 0 orphans
// CHECK:     main {
// CHECK:       {{.*}}thrower{{.*}} {
// CHECK:       } unwound {{.*}}thrower
// CHECK-COUNT-5: } unwound {{.*}}frame
// CHECK:     } main
