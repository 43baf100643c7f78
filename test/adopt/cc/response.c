// Options in response files count as if they stood on the line: `-c` there does not link.
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: echo '-c "%s" -o "%t.dir/a b.o"' > %t.compile
// RUN: %cc @%t.compile
// RUN: echo '"%t.dir/a b.o"' > %t.inner && echo '-o %t.dir/a @%t.inner' > %t.link
// RUN: %cc @%t.link && %t.dir/a
// RUN: %nophook list --summary %t.dir/a | FileCheck %s
// CHECK: 1 function: 1 call-through
int main(void) { return 0; }
