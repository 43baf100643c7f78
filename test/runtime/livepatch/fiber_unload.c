// The library of a patch stays loaded while a registered fiber waits in it, outside of all versions, where a tail call
// has led it; it is unloaded when the fiber has left.
// RUN: %traced_cc -O1 -shared -fPIC -DFIX %s -o %t.fix.so
// RUN: %traced_cc -O1 -I %S/../tracefs %s -o %t %linked -rdynamic && %t %t.fix.so
#include "klp.h"

void yield(void);
#ifdef FIX
UNTRACED __attribute__((noinline)) static int rest(void) { yield(); int n = 2; KEEP(&n); return n; }
static int new_call(void) { __attribute__((musttail)) return rest(); }
PATCH(fix, FUNC(call, new_call));
UNTRACED __attribute__((constructor)) static void enable(void) { EXPECT_EQ(klp_enable_patch(&fix), 0); }
#else
#include "klp_fibers.h"
#include "tree.h"
#include <dlfcn.h>

static struct Fiber own, fiber;
static int result;
UNTRACED void yield(void) { switch_fiber(&fiber, &own); }
NOINLINE int call(void) { int n = 1; KEEP(&n); return n; }
UNTRACED static void body(void) {
  klp_fiber_finish_switch();
  result = call();
  yield();
  klp_fiber_start_switch(NULL);
}
UNTRACED static void wait_for_state(const char *state) {
  char wanted[64];
  snprintf(wanted, sizeof wanted, "\t%s\t", state);
  while (!strstr(cat("livepatch/libraries"), wanted))
    pause_briefly();
}
UNTRACED int main(int count, char **arguments) {
  const char *library = arguments[count - 1], *slash = strrchr(library, '/');
  char name[128], enabled[256], waits[128];
  snprintf(name, sizeof name, "%s", slash ? slash + 1 : library);
  *strstr(name, ".so") = 0;
  snprintf(enabled, sizeof enabled, "livepatch/%s/enabled", name);
  EXPECT_EQ(echo(library, "livepatch/load", 0), 0);
  wait_for_state("enabled");
  make_fiber(&fiber, body, &own);
  switch_fiber(&own, &fiber); // it waits in rest()
  EXPECT_EQ(echo("0", enabled, 0), 0);
  wait_for_state("disabled");
  snprintf(waits, sizeof waits, "fiber %016lx-%016lx waits\n", (unsigned long)fiber.stack, (unsigned long)fiber.stack + kFiberBytes);
  do
    EXPECT_EQ(echo(name, "livepatch/unload", 0), -EBUSY);
  while (strcmp(cat("livepatch/unload"), waits) != 0);
  for (int i = 0; i < 50; i++, pause_briefly())
    EXPECT_EQ(echo(name, "livepatch/unload", 0), -EBUSY);
  switch_fiber(&own, &fiber); // outside
  EXPECT_EQ(result, 2);
  while (echo(name, "livepatch/unload", 0) == -EBUSY)
    pause_briefly();
  EXPECT(dlopen(library, RTLD_LAZY | RTLD_NOLOAD) == NULL);
  switch_fiber(&own, &fiber); // and to its end
  end_fiber(&fiber);
  return failures;
}
#endif
