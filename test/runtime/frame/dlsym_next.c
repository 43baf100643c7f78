// `return dlsym(RTLD_NEXT, name)` finds what it finds untraced, though it were a tail call.
// RUN: %traced_cc -O0 %s -o %t && %alike --must lookup -- %t
// RUN: %traced_cc -O2 %s -o %t && %alike --must lookup -- %t
#include "program.h"
#include <dlfcn.h>

// Interposed, as a malloc wrapper does it: RTLD_NEXT must mean libc's.
int getpagesize(void) { return 17; }
NOINLINE static void *lookup(const char *name) { return dlsym(RTLD_NEXT, name); }
NOINLINE static void *lookup_then(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  KEEP(found);
  return found;
}

int main(void) {
  int (*next)(void) = (int (*)(void))lookup("getpagesize");
  EXPECT(next && next != getpagesize && next() == 4096);
  EXPECT(lookup_then("getpagesize") == (void *)next);
  return failures;
}
