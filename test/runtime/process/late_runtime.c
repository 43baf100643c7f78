// The runtime is loaded by dlopen after an instrumented library that leaves before the tracer does:
// the library's functions are traced, and nothing is left of it when it has gone.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc -O1 -I%include %s -o %t && rm -rf %t.buf && mkdir %t.buf
// RUN: env NOPHOOK="current_tracer=function buffer_dir=%t.buf" %t %t.so %runtime
// RUN: %show --python 'sum(b.maps.name(e.id) == "in_library" for b in buffers for r in b.rings for e in r.events) == 3' %t.buf
#include "text.h"
#ifdef LIBRARY
NOINLINE void in_library(void) { KEEP(0); }
#else
#include <dlfcn.h>
NOINLINE static void here(void) { KEEP(0); }
UNTRACED int main(int count, char **arguments) {
  EXPECT_EQ(count, 3);
  for (int i = 0; i < 3; i++) {
    void *library = dlopen(arguments[1], RTLD_NOW);
    void *runtime = dlopen(arguments[2], RTLD_NOW | RTLD_GLOBAL);
    int (*set_tracer)(const char *) = (int (*)(const char *))dlsym(runtime, "tracing_set_tracer");
    void (*in_library)(void) = (void (*)(void))dlsym(library, "in_library");
    EXPECT_EQ(set_tracer("function"), 0);
    in_library(), here();
    EXPECT_EQ(dlclose(library), 0);
    here();
    EXPECT(dlopen(arguments[1], RTLD_NOW | RTLD_NOLOAD) == NULL);
    EXPECT_EQ(set_tracer("nop"), 0);
    EXPECT_EQ(text_differing(), 0);
  }
  return failures;
}
#endif
