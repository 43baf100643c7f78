// Calls that are not traced run as before, and the log says why: slots that stand for addresses, too (-fno-plt), a
// program that the runtime is linked into, a static program.
// RUN: %traced_cc -fno-plt -Wl,-z,now %s -o %t.got && %nophook record --calls -o %t.1 %t.got | FileCheck %s --check-prefix=OUT
// RUN: %nophook report %t.1 2>&1 | FileCheck %s --implicit-check-not='puts ['
// RUN: %traced_cc -static %s -o %t.static -Wl,-u,nophook_register_module %lib/libnophook.a
// RUN: rm -rf %t.buffers && mkdir %t.buffers
// RUN: env NOPHOOK="calls=1 log=stderr buffer_dir=%t.buffers current_tracer=function_graph" %t.static 2>&1 | FileCheck %s --check-prefixes=OUT,LINKED
// RUN: %traced_cc %s -o %t.linked -Wl,-u,nophook_register_module %lib/libnophook.a
// RUN: env NOPHOOK="calls=1 log=stderr buffer_dir=%t.buffers current_tracer=function_graph" %t.linked 2>&1 | FileCheck %s --check-prefixes=OUT,LINKED
// RUN: %exits 2 %nophook record --set calls=2 -o %t.2 %t.got 2>&1 | FileCheck %s --check-prefix=WRONG
#include <stdio.h>
int (*volatile address)(const char *) = puts;
int main(void) { return puts("written") < 0 || address != puts; }
// LINKED: calls into libraries are not traced: the runtime is linked into it
// OUT: written
// CHECK: main()
// WRONG: calls
