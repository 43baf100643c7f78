// gcc is known by its name, a launcher in front of it or not; `cc` is what it is a link to.
// RUN: rm -rf %t && mkdir %t && cd %t && sh -c 'ln -s $(which gcc) x86_64-linux-gnu-gcc-12.2' && ln -s x86_64-linux-gnu-gcc-12.2 cc
// RUN: cd %t && sh -c 'for it in gcc %t/x86_64-linux-gnu-gcc-12.2 %t/cc "env A=b gcc -DMORE"; do NOPHOOK_CC="$it" %nophook cc -Werror %s -o a || exit 1; %nophook list --summary a; done' | FileCheck %s
// RUN: cd %t && env NOPHOOK_CC="%clang" %nophook cc -Werror %s -o a && %nophook list --summary a | FileCheck %s --check-prefix=CLANG
// CHECK-COUNT-4: 1 function: 1 call-through
// CLANG: 1 function: 1 call-through
int main(void) { return 0; }
