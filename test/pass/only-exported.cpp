// only-exported leaves out functions that no other file can see by name, but not those that an alias shows.
// RUN: %clangxx -O1 %instrument %option-only-exported -c %s -o %t.o && %sites %t.o | FileCheck %s
// RUN: %clangxx -O1 %instrument %option-only-exported=on %option-only-exported=off -c %s -o %t.o && %sites %t.o | FileCheck %s --check-prefix=ALL
// RUN: %clangxx -O1 %instrument %option-only-exported -fvisibility=hidden -c %s -o %t.o && %sites %t.o | FileCheck %s --check-prefix=HIDDEN
// CHECK: sites: inlined open protected shown weak{{$}}
// ALL: sites: hidden inlined local open protected shown weak{{$}}
// HIDDEN: sites: protected{{$}}
#define KEEP __attribute__((used, noinline))
extern "C" {
void open() {}
static void local() __asm__("local");
KEEP static void local() {}
__attribute__((visibility("hidden"))) void hidden() {}
__attribute__((visibility("protected"))) void protected_() __asm__("protected");
void protected_() {}
KEEP inline void inlined() {}
__attribute__((weak)) void weak() {}
static void aliased() __asm__("aliased");
KEEP static void aliased() {}
void shown() __attribute__((alias("aliased")));
}
