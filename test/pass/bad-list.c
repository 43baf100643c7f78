// A list that cannot be read or understood is an error that names the file and the line.
// RUN: not %clang %instrument %option-include=%t.absent -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: printf 'fun:good\nfun:[\n' > %t.list
// RUN: not %clang %instrument %option-exclude=%t.list -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=GLOB
// RUN: echo no_colon > %t.list
// RUN: not %clang %instrument %option-exclude=%t.list -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=FORM
// ABSENT: error: nophook: option 'include': can't open file '{{.*}}.absent': No such file or directory
// GLOB: error: nophook: option 'exclude': error parsing file '{{.*}}.list': malformed {{.*}}line 2
// FORM: error: nophook: option 'exclude': error parsing file '{{.*}}.list': malformed line 1: 'no_colon'
void work(void) {}
