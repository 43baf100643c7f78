// The table of distances needs no relocation, whatever is linked; what the compiler writes of addresses is not in the file.
// REQUIRES: lld, gnu-ld, llvm22
// RUN: %clang -O1 %instrument %s %tables -fuse-ld=lld -o %t.lld && %readelf -S -r %t.lld | FileCheck %s && %python %S/note.py %t.lld | FileCheck %s --check-prefix=NOTE
// RUN: %clang -O1 %instrument %s %tables -fuse-ld=bfd -o %t.bfd && %readelf -S -r %t.bfd | FileCheck %s && %python %S/note.py %t.bfd | FileCheck %s --check-prefix=NOTE
// RUN: %clang -O1 %instrument -fPIC -shared %s %tables -fuse-ld=lld -o %t.so && %readelf -S -r %t.so | FileCheck %s
// RUN: %clang -O1 -fPIC -shared %s %tables -fuse-ld=lld -o %t.none.so && %readelf -r %t.so %t.none.so > %t.relocations
// Beside the functions of one file, nothing differs in what the loader does.
// RUN: %python -c "import re, sys; a, b = open(sys.argv[1]).read().split('File: ')[1:]; count = lambda text: len(re.findall('R_X86_64_', text)); assert count(a) == count(b) > 0, (a, b)" %t.relocations
// CHECK-NOT: .nophook.addresses
// CHECK:     __mcount_rel PROGBITS {{[0-9a-f]+}} {{[0-9a-f]+}} 000190
// CHECK-NOT: .nophook.addresses
// NOTE: 50 sites, 50 descriptors
#define F(n) int f##n(int x) { return x * 3 + 1##n; }
#define TEN(n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7) F(n##8) F(n##9)
TEN(0) TEN(1) TEN(2) TEN(3) TEN(4)
__attribute__((no_instrument_function)) int main(void) { return f00(0) == 0; }
