// A set-user-ID program ignores NOPHOOK: what it does is not for its caller to record.
// REQUIRES: root
// RUN: %traced_cc %s -o %t -static %static && rm -rf %t.buf && mkdir %t.buf && chmod 777 %t.buf
// RUN: env NOPHOOK="buffer_dir=%t.buf current_tracer=function" %t && %show %t.buf
// RUN: rm -rf %t.buf && mkdir %t.buf && chmod 777 %t.buf && chown 65534 %t && chmod 4755 %t
// RUN: env NOPHOOK="buffer_dir=%t.buf current_tracer=function" %t secure && not %show %t.buf
#include "program.h"
#include <sys/auxv.h>
int main(int count, char **arguments) {
  EXPECT_EQ(getauxval(AT_SECURE), count - 1);
  return failures;
  (void)arguments;
}
