// The bounds are hidden: a library's note leads to its own table, not to the executable's.
// REQUIRES: lld, gnu-ld
// RUN: %clang -O1 %instrument -fPIC -shared -DLIBRARY %s %tables -fuse-ld=lld -o %t.so
// RUN: %clang -O1 %instrument -rdynamic %s %t.so %tables -fuse-ld=bfd -o %t
// RUN: %python %S/note.py %t.so | FileCheck %s --check-prefix=LIBRARY
// RUN: %python %S/note.py %t | FileCheck %s --check-prefix=PROGRAM
// RUN: %readelf --dyn-syms %t.so %t | FileCheck %s --implicit-check-not=mcount_loc --implicit-check-not=ftrace_args

// CHECK: main
// LIBRARY: 1 sites, 1 descriptors
// LIBRARY-NEXT: in_library: through 0
// PROGRAM: 1 sites, 1 descriptors
// PROGRAM-NEXT: main: through 0
#ifdef LIBRARY
int in_library(int x) { return x * 3; }
#else
int in_library(int x);
int main(void) { return in_library(0); }
#endif
