// The note leads to the tables in a file without symbols and without section headers.
// RUN: %clang -O1 %instrument %s %tables -fuse-ld=lld -s -o %t.stripped
// RUN: %python %S/note.py --count %t.stripped | FileCheck %s
// RUN: %strip --strip-sections %t.stripped -o %t.bare
// RUN: %readelf -S %t.bare | FileCheck %s --check-prefix=BARE
// RUN: %python %S/note.py --count %t.bare | FileCheck %s
// RUN: %t.bare

// BARE: There are no sections
// CHECK: 2 sites, 2 descriptors
__attribute__((noinline)) long used(long x) { return x * 3; }
int main(void) { return used(0) != 0; }
