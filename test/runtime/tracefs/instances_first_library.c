// The settings of an instance from before there was any function at all hold for the first library that comes: a command, and whose longest call is kept.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %clang -O1 -D_GNU_SOURCE -I%include -I%support %s -o %t -L%lib -lnophook -Wl,-rpath,%lib && rm -rf %t.buf && mkdir %t.buf
// RUN: env NOPHOOK="buffer_dir=%t.buf instances/foo/set_ftrace_filter=stops:traceoff instances/foo/set_latency_function=is_timed instances/foo/tracing_max_latency=0" %t %t.so
#ifdef LIBRARY
#include "program.h"
void stops(void), is_timed(void);
NOINLINE void stops(void) { KEEP(0); }
NOINLINE void is_timed(void) { KEEP(0); }
#else
#include "tree.h"

#include <dlfcn.h>

int main(int count, char **arguments) {
  EXPECT_EQ(count, 2);
  EXPECT_TEXT("available_filter_functions", "");
  EXPECT_TEXT("instances/foo/set_latency_function", "is_timed\n");
  void *library = dlopen(arguments[1], RTLD_NOW);
  void (*stops)(void) = (void (*)(void))dlsym(library, "stops");
  void (*is_timed)(void) = (void (*)(void))dlsym(library, "is_timed");
  EXPECT_TEXT("instances/foo/tracing_on", "1\n");
  EXPECT_TEXT("instances/foo/tracing_max_latency", "0.000\n");
  stops();
  is_timed();
  EXPECT_TEXT("instances/foo/tracing_on", "0\n");
  EXPECT(atof(cat("instances/foo/tracing_max_latency")) > 0);
  return failures;
}
#endif
