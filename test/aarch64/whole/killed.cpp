// A process of an AArch64 program that is killed leaves all calls that it has completed, with arguments and results: this machine's command recovers them, and shows and exports what a second reader finds as well.
// REQUIRES: trace-cmd
// RUN: %traced_cxx -O1 %s -o %t %static && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run NOPHOOK="current_tracer=function_graph buffer_size_kb=1024 trace_options=funcgraph-args,funcgraph-retval" %exits -9 %aarch64-run %t
// RUN: %nophook recover -o %t.data %t.run/nophook && %nophook report %t.data >%t.report && FileCheck %s <%t.report
// RUN: %support/recording.py %nophook %t.data | FileCheck %s --check-prefix=SECOND
// RUN: /usr/bin/python3 %every_format %nophook %t.data %t.formats | FileCheck %s --check-prefix=FORMATS
#include "program.h"

#include <csignal>
#include <pthread.h>
#include <stdexcept>

enum class Mode { kSlow = 1, kFast };

extern "C" { // the second reader knows linked names
NOINLINE long leaf(long n, Mode mode) {
  KEEP(n);
  return mode == Mode::kFast ? n * 2 : n;
}
NOINLINE double ratio(double a, float b, int c) {
  KEEP(c);
  return a / b + c;
}
NOINLINE long thrower(unsigned n) {
  if (leaf(n, Mode::kFast) > 4)
    throw std::runtime_error("more");
  return leaf(n, Mode::kSlow) + 1;
}
NOINLINE void *work(void *) {
  for (unsigned n = 1; n < 60; n++)
    try {
      KEEP(thrower(n));
    } catch (const std::runtime_error &) {
      KEEP((long)ratio(1.5, 0.5f, -7));
    }
  return nullptr;
}
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, work, nullptr);
  pthread_join(thread, nullptr);
  KEEP(leaf(-1, Mode::kSlow));
  std::raise(SIGKILL);
}
// CHECK: |  main() {
// CHECK: |  work(
// CHECK-NEXT: |    thrower(n=1) {
// CHECK-NEXT: |      leaf(n=1, mode=kFast); /* ret=2 */
// CHECK-NEXT: |      leaf(n=1, mode=kSlow); /* ret=1 */
// CHECK-NEXT: |    } /* thrower ret=2 */
// CHECK: |    thrower(n=3) {
// CHECK-NEXT: |      leaf(n=3, mode=kFast); /* ret=6 */
// CHECK-NEXT: |    } /* thrower left */
// CHECK-NEXT: |    ratio(a=1.5, b=0.5, c=-7); /* ret=-4 */
// CHECK: |    leaf(n=-1, mode=kSlow); /* ret=-1 */
// SECOND: {{[0-9]+}} events of 2 threads agree, {{[1-9][0-9]+}} values
// FORMATS: {{[0-9]+}} formats, 0 events lost
