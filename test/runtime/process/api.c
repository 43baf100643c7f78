// The C API: names, results and errors are those that ftrace.h promises.
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -- %t buffer > %t.out && %show --expect %t.out %t.buf
// RUN: %t
#include "text.h"
#include <errno.h>
#include <ftrace.h>

NOINLINE void alpha(void) { KEEP(0); }
NOINLINE void beta(void) { KEEP(0); }
static int alphas, betas;
UNTRACED static void both(int alpha_is_traced, int beta_is_traced) {
  alpha(), beta();
  alphas += alpha_is_traced, betas += beta_is_traced;
}
#define SET(which, text, reset) EXPECT_EQ(ftrace_set_global_##which((const unsigned char *)text, sizeof text - 1, reset), 0)

UNTRACED int main(int count, char **arguments) {
  (void)arguments;
  EXPECT(strcmp(tracing_get_tracer(), "nop") == 0);
  EXPECT_EQ(tracing_set_tracer("no such tracer"), -EINVAL);
  EXPECT_EQ(tracing_set_tracer("func"), -EINVAL);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  if (count == 1) {
    EXPECT_EQ(tracing_set_tracer("function"), -ENODEV);
    EXPECT(strcmp(tracing_get_tracer(), "nop") == 0);
    return failures;
  }
  both(0, 0);
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  EXPECT(strcmp(tracing_get_tracer(), "function") == 0);
  both(1, 1);
  SET(filter, "al* ", 1);
  both(1, 0);
  SET(filter, "\n\tbet?", 0);
  both(1, 1);
  SET(notrace, "alpha", 1);
  both(0, 1);
  EXPECT_EQ(tracing_set_tracer("no such tracer"), -EINVAL);
  EXPECT(strcmp(tracing_get_tracer(), "function") == 0);
  both(0, 1);
  EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
  both(0, 1);
  EXPECT_EQ(ftrace_set_global_notrace(NULL, 0, 1), 0);
  SET(filter, "[a]lpha", 1);
  both(1, 0);
  EXPECT_EQ(ftrace_set_global_filter(NULL, 0, 1), 0);
  both(1, 1);
  SET(filter, "nothing_like_this", 1);
  both(0, 0);
  EXPECT_EQ(text_differing(), 0);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  both(0, 0);
  printf("alpha %d\nbeta %d\n", alphas, betas);
  return failures;
}
