// A program that was rebuilt after the recording lends it no wrong names: those that the recording keeps stay, and without them there are none.
// RUN: %traced_cc -Wl,--build-id %s -o %t && %nophook record -o %t.data -- %t && %nophook record --no-symbols -o %t.plain -- %t
// RUN: %nophook report %t.data | FileCheck %s --check-prefix=NAMES
// RUN: %nophook report %t.plain | FileCheck %s --check-prefix=NAMES
// RUN: %traced_cc -Wl,--build-id -DREBUILT %s -o %t
// RUN: %nophook report %t.data 2>&1 | FileCheck %s --check-prefix=NAMES --implicit-check-not="another("
// RUN: %nophook report %t.plain 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not="main("
// NAMES: main();
// NONE: rebuilt.c.tmp+0x{{[0-9a-f]+}}();
// NONE: rebuilt.c.tmp: no names: it is not the file that was recorded (build-id)
#ifdef REBUILT
int another(void) { return 0; }
#endif
int main(void) { return 0; }
