// list: files that are no program, or a damaged one, are one-line errors.
// RUN: %exits 1 %nophook list %s 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: %exits 1 %nophook list %t.missing 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: %clang -fplugin=%plugin -c %s -o %t.o
// RUN: %exits 1 %nophook list %t.o 2>&1 | FileCheck %s --check-prefix=OBJECT
// RUN: %clang -fplugin=%plugin -fuse-ld=lld %s -o %t.bare
// RUN: %exits 1 %nophook list %t.bare 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: %traced_cc %s -o %t
// RUN: head -c 100 %t > %t.cut
// RUN: %exits 1 %nophook list %t.cut 2>&1 | FileCheck %s --check-prefix=CUT
// Entries that lead nowhere.
// RUN: %traced_cc %s -o %t.fixed
// RUN: %python -c "import os; open('%t.zero','wb').write(bytes(16))"
// RUN: %objcopy --update-section __mcount_rel=%t.zero %t.fixed %t.bad
// RUN: %exits 1 %nophook list %t.bad 2>&1 | FileCheck %s --check-prefix=BAD
// TEXT: nophook: {{.*}}list_refuses.c: is not an ELF file
// MISSING: nophook: {{.*}}.missing: No such file or directory
// OBJECT: nophook: {{.*}}.o: is an object that has not been linked yet
// NOTE: nophook: {{.*}}.bare: has sites, but was linked without nophook_module.o
// CUT: nophook: {{.*}}.cut: program headers: {{.+}}
// BAD: nophook: {{.*}}.bad: table of sites: 2 of 2 entries point at no site
int leaf(void) { return 0; }
int main(void) { return leaf(); }
