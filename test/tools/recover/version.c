// A buffer of a later version is refused with both versions in one line; an older one is read.
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run LD_PRELOAD=%lib/libnophook.so NOPHOOK=current_tracer=function %t
// RUN: sh -c "printf '\002' | dd of=$(ls %t.run/nophook/*.buf) bs=1 seek=8 conv=notrunc status=none"
// RUN: %nophook report %t.run/nophook | FileCheck %s
// RUN: sh -c "printf '\143' | dd of=$(ls %t.run/nophook/*.buf) bs=1 seek=8 conv=notrunc status=none"
// RUN: %exits 1 %nophook report %t.run/nophook 2>&1 | FileCheck %s --check-prefix=LATER
// RUN: %exits 1 %nophook stat %t.run/nophook 2>&1 | FileCheck %s --check-prefix=LATER
// CHECK: main <-
// LATER: nophook: {{.*}}.buf: is a buffer of version 99; this program reads versions up to 6
int main(void) { return 0; }
